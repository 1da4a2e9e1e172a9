"""Free text and specifications without what they quote: notes, reasons, commands, file names."""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Callable, Collection, Mapping
from pathlib import PurePath

from nerquake.core.errors import SpecError
from nerquake.core.shapes import shape
from nerquake.core.spec import Spec, Value, parse_chain, parse_spec

FILE = "FILE"
_QUOTED = re.compile(
    "“[^”]*”|«[^»]*»|‘[^’]*’|`+[^`]*`+|\"[^\"]*\"|(?<![\\w'])'[^']*'(?!\\w)"
)  # fmt: skip
_WORD = re.compile(r"\S+")
_PIECE = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_PATH = re.compile(r"[/\\]|\.[A-Za-z][A-Za-z0-9]{1,9}$")
LOCALE = re.compile(r"[a-z]{2,3}_[A-Z]{2}")
_NUMBER = re.compile(r"[\d.,:%+-]*\d[\d.,:%+-]*")
_PLAIN = re.compile(r"[+-]?\d[\d.,e+-]*%?|yes|no|true|false|on|off|none|auto|all", re.IGNORECASE)
_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(?:/[A-Za-z0-9][A-Za-z0-9._-]*)?")
_MODELS = frozenset({"spacy", "stanza", "flair", "huggingface"})
"""Taggers whose value is the name of a model that is public, or that says nothing about the data."""
_FORMS = frozenset({"case", "punctuation", "diacritics", "name-order"})
"""Attacks whose value is one of a few forms: `case:upper`."""
_CHOICES = frozenset(
    {
        "where",
        "kinds",
        "order",
        "filler",
        "draw",
        "form",
        "language",
        "unit",
        "coverage-draw",
        "runtime",
        "precision",
        "device",
    }
)
_CHOICE = re.compile(r"[a-z][a-z-]{0,15}")
_NAMES = frozenset({"spaCy", "PyTorch", "SHA", "GPU", "CPU", "F1", "IOB2", "BIO", "BIOES", "N"}) | {
    "io",
    "iob1",
    "iob2",
    "bioes",
    "bilou",
    "bmes",
}

OWN = frozenset(
    """
    a about above after again all alone already also an and another answer answers any are as asked at audit audited
    be because been before below best beside both but by can candidate candidates cannot case cases change changed
    changes character characters chosen class classes column columns compared content could counted dictionary did
    different do documents does done each early earlier empty enough entity entries entry estimated every far few fewer
    field file files filled find finds first five for found four from full given gives gold group groups had half has
    have hold holds how id ids if in index into is it item items its just kept kind kinds known label labels language
    large last left length less letters like line lines linked list lists longer made many mask matched may measured
    mention mentions missing model models more most much must name named names new no none not nothing now number of on
    once one only or order original other others out over own part parts people per pipeline place places possible
    predicted read reason repeat repeats replaced replacement replacements right run runs said same sampled say says
    scheme score scored second see seed seen sentence sentences set sets several should shown since single so some
    source sources space spaces span spans speech stand stands start still such surrogate tag tagged tags take taken
    text than that the their them then there these they things this those three through to token tokens too train
    trained training true twice two type types under unknown until up used uses version very vocabulary warning was
    were what where which whole why will with within without word words would wrong yes you
    applicable attack attacked attacks between changes detected discarded dropped expected filler invalid linker
    measure near paper perplexity place rest sampled setting shorter stay stop style undefined unchanged
    """.split()  # noqa: SIM905
)
"""Words of our own messages that may stand among the data as well; any other word of the data becomes its shape."""


def redacted_text(text: str, data: Collection[str], names: Mapping[str, str]) -> str:
    """A message without what it quotes.

    data   words of the data, case folded
    names  identifiers that stay or take another name: labels, models, sets, sentence ids

    What stands in quotation marks becomes its shape, file names become FILE, and so do words of the data, words with
    capitals and words of other scripts their shapes; numbers, labels and our own words stay.
    """
    text = _QUOTED.sub(lambda found: shape(found.group()), text)
    return _WORD.sub(lambda found: _word(found.group(), data, names), text)


def _word(word: str, data: Collection[str], names: Mapping[str, str]) -> str:
    start = len(word) - len(word.lstrip("([{<“‘:,;"))
    core = word[start:].rstrip(")]}>”’:,;.!?")
    end = word[start + len(core) :]
    if _NUMBER.fullmatch(core) or LOCALE.fullmatch(core):
        return word
    if core in names:
        return word[:start] + names[core] + end
    if any(map(_tells, core)):
        return word[:start] + shape(core) + end
    if _PATH.search(core):
        return word[:start] + FILE + end
    return word[:start] + _PIECE.sub(lambda piece: _piece(piece.group(), data, names), core) + end


def _tells(character: str) -> bool:
    """Whether it is a letter, a mark or a picture that our own messages do not have."""
    if character.isascii():
        return False
    category = unicodedata.category(character)
    return category[0] in "LMNC" or category in ("So", "Sk", "Sc")


def _piece(piece: str, data: Collection[str], names: Mapping[str, str]) -> str:
    if piece in names:
        return names[piece]
    if piece in _NAMES or piece.isdigit() or (piece.lower() in OWN and (piece.islower() or piece.istitle())):
        return piece
    plain = piece.isascii() and piece.islower() and piece.isalpha()
    return piece if plain and piece.casefold() not in data else shape(piece)


def short_spec(text: str) -> str:
    """A specification without values that hold data, files or folders: `gazetteer:names.tsv,coverage=50` becomes
    `gazetteer:coverage=50`. Numbers, yes and no, and the names of public models stay; one that does not parse becomes
    what stands before its colon."""
    return _shortened(text, lambda steps: "+".join(str(_short(step)) for step in steps))


def _shortened(text: str, say: Callable[[tuple[Spec, ...]], str]) -> str:
    try:
        return say(parse_chain(text).steps)
    except SpecError:
        try:
            return say((parse_spec(text),))
        except SpecError:
            return _kind(text.partition(":")[0])


def _short(step: Spec) -> Spec:
    kept = tuple((key, value) for key, value in step.params if _stays(step.name, key, value))
    return Spec(_kind(step.name), kept)


def _kind(name: str) -> str:
    return FILE if _PATH.search(name) else name


def _stays(kind: str, key: str, value: Value) -> bool:
    items = value if isinstance(value, tuple) else (value,)
    if key == "" and kind in _MODELS:
        return all(map(_MODEL.fullmatch, items))
    if key == "" and kind in _FORMS:
        return all(map(_CHOICE.fullmatch, items))
    return all(_PLAIN.fullmatch(item) or (key in _CHOICES and bool(_CHOICE.fullmatch(item))) for item in items)


def short_file(name: str, number: int) -> str:
    """A file's name as `input-1.conll`: its ending says what it is."""
    suffix = PurePath(name).suffix
    return f"input-{number}{suffix if re.fullmatch(r'[.][A-Za-z0-9]{1,8}', suffix) else ''}"


def short_command(text: str, names: Mapping[str, str]) -> str:
    """A command line with its options, numbers and short specifications; everything else is `…`.

    names  identifiers and specifications that stay or take another name
    """
    try:
        parts = shlex.split(text)
    except ValueError:
        return ""
    said = [_argument(part, names) for part in parts]
    return " ".join([*parts[:2], *said[2:]]) if parts[:1] == ["nerquake"] else ""


def _argument(part: str, names: Mapping[str, str]) -> str:
    if part in names:
        return shlex.quote(names[part])
    if part.startswith("-"):
        option, equals, _ = part.partition("=")
        return f"{option}{equals}{'…' if equals else ''}" if re.fullmatch(r"-{1,2}[a-z-]+", option) else "…"
    return part if _PLAIN.fullmatch(part) else "…"

"""Capitals and punctuation after words have moved."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from nerquake.language.rewriting.tree import Tree, Word

ENDS = frozenset({".", "!", "?", "...", "…"})
OPENING = frozenset({"``", "“", "„", "«", "‘"})
CLOSING = frozenset({"''", "”", "»", "’"})
STRAIGHT = '"'
BRACKETS = {"(": 1, "-LRB-": 1, "[": 1, ")": -1, "-RRB-": -1, "]": -1}
NO_COMMA_BEFORE = ENDS | {",", ";", ":", ")", "-RRB-", "]"}
NO_COMMA_AFTER = frozenset({",", ";", ":", "(", "-LRB-", "[", "``", "“"})
NAME_TAGS = frozenset({"NNP", "NNPS", "NE"})
CAPITAL = frozenset({
    "african", "alaskan", "albanian", "american", "april", "arab", "arabian", "arabic", "argentine", "argentinian",
    "armenian", "asian", "athenian", "atlantic", "august", "australian", "austrian", "aztec", "baptist", "bavarian",
    "belgian", "bengali", "berliner", "bolivian", "brazilian", "british", "buddhist", "bulgarian", "californian",
    "cambodian", "canadian", "cantonese", "caribbean", "catalan", "catholic", "chilean", "chinese", "christian",
    "christmas", "colombian", "croatian", "cuban", "czech", "danish", "december", "dutch", "easter", "ecuadorian",
    "egyptian", "english", "estonian", "ethiopian", "european", "february", "filipino", "finn", "finnish", "flemish",
    "french", "friday", "gaelic", "georgian", "german", "ghanaian", "greek", "hawaiian", "hebrew", "hindi", "hindu",
    "hungarian", "i", "i'd", "i'll", "i'm", "i've", "icelandic", "indian", "indonesian", "iranian", "iraqi", "irish",
    "islamic", "israeli", "italian", "jamaican", "january", "japanese", "jew", "jewish", "jordanian", "july", "june",
    "kenyan", "korean", "kurdish", "latin", "latvian", "lebanese", "libyan", "lithuanian", "london", "malaysian",
    "mandarin", "maori", "march", "mexican", "monday", "mongolian", "mormon", "moroccan", "muslim", "navajo",
    "nepalese", "nepali", "nigerian", "norwegian", "november", "october", "olympic", "orthodox", "pacific", "pakistani",
    "palestinian", "panamanian", "parisian", "persian", "peruvian", "polish", "portuguese", "protestant", "punjabi",
    "quechua", "ramadan", "roman", "romani", "romanian", "russian", "sami", "saturday", "saudi", "scot", "scottish",
    "september", "serbian", "sicilian", "sikh", "slavic", "slovak", "slovenian", "soviet", "spaniard", "spanish",
    "sudanese", "sunday", "swahili", "swede", "swedish", "swiss", "syrian", "taiwanese", "tamil", "texan", "thai",
    "thursday", "tibetan", "tuesday", "tunisian", "turk", "turkish", "ukrainian", "vatican", "venetian", "venezuelan",
    "victorian", "vietnamese", "viking", "wednesday", "welsh", "yoruba", "zulu",
})  # fmt: skip
"""Words that have a capital wherever they stand, though they are no names."""

OCCUPATIONS = ("er", "or", "ist", "man", "woman", "ian", "ant", "ent", "eur", "chef", "coach", "judge", "chief",
               "artist", "author", "analyst", "pilot", "nurse", "poet", "guide", "cook", "clerk",
               "keeper", "seed")  # fmt: skip
"""How names of occupations end, which stand before a person's name."""
FIRST_OF_TWO = frozenset({
    "team", "site", "head", "top", "solo", "memory", "budget", "textbook", "opposition", "music", "business", "union",
    "party", "trade", "police", "news", "history", "science",
})  # fmt: skip
ARTICLES = frozenset({"The", "A", "An"})
TITLED = frozenset({"work_of_art", "creative-work"})
"""Labels of titles, whose article has its capital wherever they stand."""
TITLES = frozenset({
    "senator", "minister", "chancellor", "governor", "mayor", "doctor", "professor", "sister", "brother", "father",
    "mother", "president", "emperor", "commander", "lieutenant", "major",
})  # fmt: skip


class Finished(NamedTuple):
    """A rewritten sentence: its tokens, and for each the token of the original that it is, or None."""

    tokens: tuple[str, ...]
    origin: tuple[int | None, ...]


def finish(tree: Tree, pieces: Sequence[tuple[str, int | None]]) -> Finished | None:
    """Mend commas and capitals; None where no well-formed sentence comes of it.

    pieces  each new token with the index of the token that it is, or None

    The capital of a sentence's first word moves to the word that now stands first. Mentions keep their letters: where
    one that is written small ("the Alps") would have to begin a sentence, there is no result, nor where one whose
    article has its capital from the start of a sentence ("The Supreme Court") would stand inside one.
    """
    tidy = _tidied(pieces)
    if not _well_quoted(text for text, _ in tidy) and _well_quoted(word.text for word in tree.words):
        return None
    inside = {at for start, end in tree.mentions for at in range(start, end)}
    if _shouted(tree):
        return Finished(
            tuple(text if at is not None else text.upper() for text, at in tidy), tuple(at for _, at in tidy)
        )
    texts = [word.text for word in tree.words]
    old_starts = set(_starts(texts))
    lowered = {_end_before(texts, at) for at in old_starts if not _begins_upper(texts[at])}
    loose = {
        at for at in _openings(texts) | old_starts if at not in inside and not _always_capital(tree.words[at], tree)
    }
    articles = _articles(tree, old_starts)
    new = [text for text, _ in tidy]
    starts, openings = set(_starts(new)), _openings(new)
    if any(origin in articles and place not in starts | openings for place, (_, origin) in enumerate(tidy)):
        return None
    for place, (text, origin) in enumerate(tidy):
        if place in starts:
            end = _end_before(new, place)
            small = (tidy[end][1] if end is not None else None) in lowered  # "the money . . . very doubtful"
            if not small and not _begins_upper(text) and text[:1].lower() != text[:1].upper():
                if origin is not None and (origin in inside or _mixed(text)):
                    return None
                new[place] = text[0].upper() + text[1:]
        elif origin in loose and place not in openings:
            new[place] = text[0].lower() + text[1:]
    return Finished(tuple(new), tuple(origin for _, origin in tidy))


def _articles(tree: Tree, starts: Container[int]) -> set[int]:
    """Articles of mentions at the start of a sentence, which owe their capital to it."""
    return {
        start
        for place, (start, _) in enumerate(tree.mentions)
        if start in starts
        and tree.words[start].text in ARTICLES
        and not TITLED.intersection(label.lower() for label in tree.labels[place : place + 1])
    }


def _shouted(tree: Tree) -> bool:
    """Whether every word is in capitals, the new ones too then."""
    cased = [word.text for word in tree.words if len(word.text) > 1 and word.text.lower() != word.text.upper()]
    return bool(cased) and all(map(str.isupper, cased))


def _tidied(pieces: Sequence[tuple[str, int | None]]) -> list[tuple[str, int | None]]:
    """No comma at the start, none doubled, none before a full stop."""
    kept: list[tuple[str, int | None]] = []
    for text, origin in pieces:
        if text == "," and (not kept or kept[-1][0] in NO_COMMA_AFTER):
            continue
        while text in NO_COMMA_BEFORE and kept and kept[-1][0] == ",":
            kept.pop()
        kept.append((text, origin))
    while kept and kept[-1][0] == ",":
        kept.pop()
    return kept


def _well_quoted(texts: Iterable[str]) -> bool:
    depth = brackets = straight = 0
    for text in texts:
        depth += (text in ("``", "“", "„")) - (text in ("''", "”"))
        brackets += BRACKETS.get(text, 0)
        straight += text == STRAIGHT
        if depth < 0 or brackets < 0:
            return False
    return depth == 0 and brackets == 0 and straight % 2 == 0


def _starts(texts: Sequence[str]) -> list[int]:
    """Places of words that begin a sentence: the first one, and those behind a full stop and what closes with it."""
    found, open_start = [], True
    for place, text in enumerate(texts):
        if text in ENDS:
            open_start = place > 0
        elif open_start and any(char.isalnum() for char in text):
            found.append(place)
            open_start = False
    return found


def _end_before(texts: Sequence[str], start: int) -> int | None:
    """The place of the full stop behind which a word begins a sentence; None for the first sentence."""
    return next((at for at in range(start - 1, -1, -1) if texts[at] in ENDS), None)


def _openings(texts: Sequence[str]) -> set[int]:
    """Places of words that stand behind a quotation mark that opens."""
    straight, found = 0, set()
    for place, text in enumerate(texts[:-1]):
        straight += text == STRAIGHT
        if text in OPENING or (text == STRAIGHT and straight % 2):
            found.add(place + 1)
    return found


def _begins_upper(text: str) -> bool:
    return text[:1].isupper()


def _mixed(text: str) -> bool:
    """Whether a word has capitals of its own behind a small letter: iPhone."""
    return text[:1].islower() and any(char.isupper() for char in text)


def _always_capital(word: Word, tree: Tree) -> bool:
    """Whether a word keeps its capital inside a sentence: names, acronyms, I, nationalities, days."""
    text = word.text
    if _is_occupation(word, tree):
        return False
    if not text[:1].isupper() or word.tag in NAME_TAGS or word.pos == "PROPN" or text.lower() in CAPITAL:
        return True
    if len(text) > 1 and any(char.isupper() or char.isdigit() for char in text[1:]):
        return True
    return any(part in CAPITAL for part in text.lower().split("-")) or (len(text) == 2 and text.endswith("."))


def _is_occupation(word: Word, tree: Tree) -> bool:
    """Whether a word before a person's name says what the person does (Restorer, Pitcher), and is no title."""
    if word.text.lower() in TITLES or any(start <= word.index < end for start, end in tree.mentions):
        return False
    text = word.text.lower()
    behind = tree.words[word.index + 1].text if word.index + 1 < len(tree.words) else ""
    if word.dep == "compound" and behind[:1].islower():  # "Team mechanic", "Site manager"
        return text in FIRST_OF_TWO or text.endswith(OCCUPATIONS)
    named = any(
        start == word.index + 1 and label.upper() in ("PERSON", "PER")
        for (start, _), label in zip(tree.mentions, tree.labels, strict=False)
    )
    return named and word.text[1:].islower() and text.endswith(OCCUPATIONS)

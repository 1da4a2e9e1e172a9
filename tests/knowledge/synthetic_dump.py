"""Synthetic dumps in the real layout: made-up items of about 14 KB, a line each, batches as independent gzip members.

    python -m tests.knowledge.synthetic_dump ITEMS FILE     (FILE ends in .json, .gz or .bz2)

Item n is a function of n alone. Ids begin at Q1001; classes are a tree of made-up items among the first of them.
"""

from __future__ import annotations

import bz2
import json
import random
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path

FIRST, CLASSES = 1001, 300
LATIN = ("ba", "ber", "don", "el", "fir", "gan", "hol", "is", "kar", "lun", "mor", "nas", "or", "pel", "rin", "sto")
HINDI = ("क", "का", "त", "ति", "न", "ने", "म", "मो", "र", "रा", "ल", "ली", "स", "सु", "ह", "वि")
OTHER = ("fr", "es", "it", "nl", "sv", "pl", "pt", "ca", "cs", "ru", "uk", "ja", "zh", "ar", "fa", "ko")
DENIED = (13442814, 4167836, 4167410, 11266439, 13406463)
FILLERS = 3_000


def gz(text: bytes, level: int = 4) -> bytes:
    """A gzip member, the same bytes at any time."""
    made = zlib.compressobj(level, zlib.DEFLATED, 31)
    return made.compress(text) + made.flush()


def item(number: int) -> bytes:
    """The line of an item, without a comma or line end."""
    rng = random.Random(number)
    qid = f"Q{FIRST + number}"
    name = _name(rng, LATIN)
    labels = {"en": name, "de": name, **dict.fromkeys(rng.sample(OTHER, 5), name)}
    if number % 3 == 0:
        labels["hi"] = _name(rng, HINDI)
    if number % 4 == 0:
        labels["mul"] = labels.pop("en")
    aliases = {
        code: [_name(rng, LATIN) for _ in range(rng.randrange(1, 3))] for code in ("en", "fr", "de")[: number % 4]
    }
    body = ",".join([*_own_claims(rng, number, qid), *_fillers(rng, qid)])
    return (
        f'{{"type":"item","id":"{qid}","labels":{{{_texts(labels)}}},"descriptions":{{{rng.choice(_descriptions())}}},'
        f'"aliases":{{{_lists(aliases)}}},"claims":{{{body}}},"sitelinks":{{{_links(rng, number, name)}}},'
        f'"pageid":{number},"ns":0,"title":"{qid}","lastrevid":{rng.randrange(10**9)},"modified":"2024-05-01T00:00:00Z"}}'
    ).encode()


def classes_of(number: int) -> tuple[int, ...]:
    """The numbers of the classes of an item, as its statements name them."""
    rng = random.Random(f"class {number}")
    if number % 5 == 4:
        return (DENIED[number // 5 % len(DENIED)],)
    return tuple(FIRST + rng.randrange(CLASSES) for _ in range(1 + (number % 7 == 0)))


def snak(prop: str, number: int) -> str:
    """A snak whose value is an item."""
    value = f'{{"entity-type":"item","numeric-id":{number},"id":"Q{number}"}}'
    datavalue = f'"datavalue":{{"value":{value},"type":"wikibase-entityid"}}'
    return f'{{"snaktype":"value","property":"{prop}","hash":"{number:040x}",{datavalue},"datatype":"wikibase-item"}}'


def statement(prop: str, number: int, qid: str, rank: str = "normal") -> str:
    """A statement whose value is an item."""
    return f'{{"mainsnak":{snak(prop, number)},"type":"statement","id":"{qid}$0A{number:034X}","rank":"{rank}"}}'


def members(lines: Iterable[bytes], batch: int, level: int = 4) -> Iterator[bytes]:
    """The gzip members of a dump: brackets and what joins two batches are members of their own."""
    yield gz(b"[\n", level)
    left = iter(lines)
    joint = b""
    while part := list(islice(left, batch)):
        if joint:
            yield gz(joint, level)
        yield gz(b",\n".join(part), level)
        joint = b",\n"
    yield gz(b"\n]\n", level)


def plain(lines: Iterable[bytes]) -> bytes:
    """The text of a dump."""
    return b"[\n" + b",\n".join(lines) + b"\n]\n"


def write(file: Path, lines: Iterable[bytes], batch: int = 500) -> Path:
    """Write a dump in the layout that the file's name asks for."""
    writers: dict[str, Callable[[], bytes]] = {
        ".json": lambda: plain(lines),
        ".bz2": lambda: bz2.compress(plain(lines)),
    }
    with file.open("wb") as stream:
        if file.suffix in writers:
            stream.write(writers[file.suffix]())
        else:
            stream.writelines(members(lines, batch))
    return file


def items(count: int) -> Iterator[bytes]:
    """The lines of the first items."""
    return map(item, range(count))


def _name(rng: random.Random, syllables: tuple[str, ...]) -> str:
    words = ("".join(rng.choices(syllables, k=rng.randrange(2, 5))) for _ in range(rng.randrange(1, 4)))
    return " ".join(words).title()


def _texts(values: dict[str, str]) -> str:
    return ",".join(f'"{code}":{{"language":"{code}","value":"{value}"}}' for code, value in values.items())


def _lists(values: dict[str, list[str]]) -> str:
    return ",".join(
        f'"{code}":[{",".join(f"""{{"language":"{code}","value":"{one}"}}""" for one in texts)}]'
        for code, texts in values.items()
    )


def _links(rng: random.Random, number: int, name: str) -> str:
    wikis = rng.sample(OTHER, number % 5 and number % 3)
    titles = {f"{code}wiki": name for code in wikis}
    if number % 3 == 0:
        titles |= {"enwiki": f"{name} ({number})", "dewiki": name}
    return ",".join(f'"{site}":{{"site":"{site}","title":"{title}","badges":[]}}' for site, title in titles.items())


def _own_claims(rng: random.Random, number: int, qid: str) -> Iterator[str]:
    kinds = (statement("P31", one, qid) for one in classes_of(number))
    yield f'"P31":[{",".join(kinds)}]'
    if number < CLASSES:
        yield f'"P279":[{statement("P279", FIRST + number // 4, qid)}]'
    if number % 2:
        ranked = [
            statement("P17", 30 + rng.randrange(9), qid, rank) for rank in ("normal", "preferred")[: 1 + number % 3]
        ]
        yield f'"P17":[{",".join(ranked)}]'


def _fillers(rng: random.Random, qid: str) -> Iterator[str]:
    """Statements of other properties, which make up most of a line."""
    for prop, body in rng.choices(_pool(), k=12):
        yield f'"{prop}":[{{{body},"id":"{qid}${rng.getrandbits(128):032X}"}}]'


@lru_cache(maxsize=1)
def _pool() -> list[tuple[str, str]]:
    rng = random.Random("fillers")
    return [_filler(rng) for _ in range(FILLERS)]


def _filler(rng: random.Random) -> tuple[str, str]:
    """A property, and its statement without an id: a text and a reference with an item and a date."""

    def other(prop: str, value: object, kind: str, datatype: str) -> dict[str, object]:
        data = {"value": value, "type": kind}
        mark = f"{rng.getrandbits(160):040x}"
        return {"snaktype": "value", "property": prop, "hash": mark, "datavalue": data, "datatype": datatype}

    prop, day = f"P{rng.randrange(1000, 9000)}", f"+20{rng.randrange(10, 24)}-0{rng.randrange(1, 9)}-01T00:00:00Z"
    calendar = "http://www.wikidata.org/entity/Q1985727"
    date = {"time": day, "timezone": 0, "before": 0, "after": 0, "precision": 11, "calendarmodel": calendar}
    snaks = {"P248": [json.loads(snak("P248", rng.randrange(10**8)))], "P813": [other("P813", date, "time", "time")]}
    reference = {"hash": f"{rng.getrandbits(160):040x}", "snaks": snaks, "snaks-order": [*snaks]}
    main = other(prop, _name(rng, LATIN), "string", "external-id")
    made = {"mainsnak": main, "type": "statement", "rank": "normal", "references": [reference]}
    return prop, json.dumps(made, separators=(",", ":"))[1:-1]


@lru_cache(maxsize=1)
def _descriptions() -> list[str]:
    rng = random.Random("descriptions")
    codes = ("en", "de", "hi", *OTHER)
    kinds = [_name(rng, LATIN) for _ in range(300)]
    return [_texts({code: f"{kind} {code}" for code in rng.sample(codes, 19)}) for kind in kinds]


if __name__ == "__main__":
    write(Path(sys.argv[2]), items(int(sys.argv[1])), batch=5_000)

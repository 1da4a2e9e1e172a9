"""Clean pairs of files, and one fault of each kind planted in the attacked one at a random place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.perturb.helpers import data, run

from nerquake.analyse.pairing.model import Kind
from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, apply_edits
from nerquake.core.scheme import IOB2
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span

NAMES = {
    "PER": ["Anna", "Rosa Lind", "May", "Jan van Dyk", "O'Hara", "Ben Bo", "Ida", "Kai Uwe Roth", "Li Wei", "Noor"],
    "LOC": ["Bonn", "New York", "Bad Ems", "Ulm", "Rio de Janeiro", "Iran", "Oslo", "Kuala Lumpur", "Lima", "Rome"],
    "ORG": ["UN", "Red Cross", "Bank of Ulm", "FC Bonn", "EU", "Iran Air", "Acme", "Lima Post Office", "Nato", "BBC"],
}
WORDS = """
    yesterday slowly after lunch when rain fell over green hills near old bridges while children played football
    because nobody else wanted cold soup early train tickets were rather cheap this long winter before dawn often
    seven boats crossed narrow water without any proper light although friends had promised better weather
    met saw left knew visited called helped found asked thanked warned praised followed joined missed
"""
NEW_WORDS = "quietly later behind yellow doors barely under stones twice across empty fields since noon again"
ADDED = "Wholly other things stand here today !"
NEW_NAMES = "Quito Zagreb Ngozi Ferreira Xavier Dubrovnik Yamoussoukro Wolfgang Ulyana Pemba Tove Sigrid Hugo"


def sentences(random: Random, count: int) -> list[Sentence]:
    """Sentences with up to four mentions, touching ones among them; no two are alike."""
    made: list[Sentence] = []
    for number in range(count):
        tokens: list[str] = []
        spans: list[Span] = []
        for _ in range(random.choice((0, 1, 1, 2, 2, 3, 4))):
            if not spans or random.random() < 0.85:
                tokens += random.sample(WORDS.split(), random.randint(2, 4))
            label = random.choice(sorted(NAMES))
            name = random.choice(NAMES[label]).split()
            spans.append(Span(len(tokens), len(tokens) + len(name), label))
            tokens += name
        tokens += [*random.sample(WORDS.split(), random.randint(2, 5)), "."]
        made.append(Sentence(f"s{number}", tuple(tokens), tuple(spans)))
    return made


def _new_names(one: Sentence, random: Random) -> list[Edit]:
    return [
        Edit(span.start, span.end, tuple(random.sample(NEW_NAMES.split(), random.randint(1, 3))), "mention")
        for span in one.spans
    ]


def _new_words(one: Sentence, random: Random) -> list[Edit]:
    inside = {at for span in one.spans for at in range(span.start, span.end)}
    free = [at for at in range(len(one) - 1) if at not in inside]
    at = random.sample(free, min(len(free) // 3, random.randint(1, 3)))
    return [Edit(i, i + 1, (random.choice(NEW_WORDS.split()),), "context") for i in at]


def _edited(dataset: Dataset, edits: Callable[[Sentence], list[Edit]]) -> list[Sentence]:
    made = []
    for one in dataset:
        found = apply_edits(one, edits(one)).sentence
        made.append(Sentence(one.id, found.tokens, found.spans))
    return made


def _attacked(dataset: Dataset, spec: str, seed: int) -> list[Sentence]:
    found = [variant.sentence for variant in run(dataset, spec, seed).variants]
    return [Sentence(one.id.partition("~")[0], one.tokens, one.spans) for one in found]


ATTACKS: dict[str, Kind] = {
    "swap": "entity",
    "letters": "entity",
    "new names": "entity",
    "new words": "context",
    "swap and new words": "both",
    "new names and new words": "any",
}


def attack(original: list[Sentence], name: str, random: Random) -> list[Sentence]:
    """The attacked sentences of one of ATTACKS."""
    dataset = data(original)
    if name in ("swap", "letters"):
        return _attacked(dataset, name, random.randrange(1000))
    if name == "swap and new words":
        dataset = data(_attacked(dataset, "swap", random.randrange(1000)))
    if name.startswith("new names"):
        dataset = data(_edited(dataset, lambda one: _new_names(one, random)))
    if name.endswith("new words"):
        dataset = data(_edited(dataset, lambda one: _new_words(one, random)))
    return list(dataset)


@dataclass(eq=False)
class Row:
    """One token line."""

    token: str
    tag: str


@dataclass(eq=False)
class Block:
    """One sentence of a file."""

    key: str
    rows: list[Row]

    @classmethod
    def of(cls, one: Sentence) -> Block:
        return cls(one.id, [Row(*row) for row in zip(one.tokens, IOB2.encode(one.spans, len(one)), strict=True)])

    def mentions(self, at_least: int = 1) -> list[list[Row]]:
        """The rows of each mention."""
        tags = [row.tag for row in self.rows]
        return [self.rows[s.start : s.end] for s in IOB2.decode(tags) if s.width >= at_least]

    def context(self) -> list[int]:
        return [at for at, row in enumerate(self.rows) if row.tag == "O"]


def write(path: Path, blocks: Iterable[Block], ids: bool) -> dict[Row, int]:
    """Write a file; returns the line of every row."""
    lines: list[str] = []
    where: dict[Row, int] = {}
    for block in blocks:
        if ids:
            lines.append(f"# id {block.key}")
        for row in block.rows:
            lines.append(f"{row.token}\t{row.tag}")
            where[row] = len(lines)
        lines.append("")
    path.write_text("\n".join(lines), "utf-8")
    return where


@dataclass
class Planted:
    """A fault: its code, the row that it is to be found at in the attacked file, or in the original."""

    code: str
    attacked: Row | None
    original: Row | None = None


Planter = Callable[[list[Block], list[Block], Random], Planted | None]


def lose_sentence(ours: list[Block], theirs: list[Block], random: Random) -> Planted:
    at = random.randrange(len(theirs))
    del theirs[at]
    return Planted("sentence-lost", None, ours[at].rows[0])


def add_sentence(ours: list[Block], theirs: list[Block], random: Random) -> Planted:
    new = Block("new", [Row(token, "O") for token in ADDED.split()])
    new.rows[0].tag = random.choice(("O", "B-LOC"))
    theirs.insert(random.randrange(len(theirs) + 1), new)
    return Planted("sentence-added", new.rows[0])


def move_sentence(ours: list[Block], theirs: list[Block], random: Random) -> Planted:
    at = random.randrange(len(theirs))
    to = random.choice([n for n in range(len(theirs)) if abs(n - at) > 1])
    moved = theirs.pop(at)
    theirs.insert(to, moved)
    return Planted("sentence-moved", moved.rows[0])


def _mention(blocks: list[Block], random: Random, at_least: int = 1) -> tuple[Block, list[Row]] | None:
    found = [(block, rows) for block in blocks for rows in block.mentions(at_least)]
    return random.choice(found) if found else None


def _around(block: Block, rows: list[Row]) -> tuple[Row | None, Row | None]:
    """The rows before and behind a mention."""
    start, end = block.rows.index(rows[0]), block.rows.index(rows[-1]) + 1
    return (block.rows[start - 1] if start else None), (block.rows[end] if end < len(block.rows) else None)


def lose_mention(ours: list[Block], theirs: list[Block], random: Random) -> Planted | None:
    if (found := _mention(theirs, random)) is None:
        return None
    if any(row is not None and row.tag[2:] == found[1][0].tag[2:] for row in _around(*found)):
        return None  # which of two touching names of one label it was cannot be known once both are new
    for row in found[1]:
        row.tag = "O"
    return Planted("mention-lost", found[1][0])


def gain_mention(ours: list[Block], theirs: list[Block], random: Random) -> Planted:
    block = random.choice([block for block in theirs if block.context()])
    row = block.rows[random.choice(block.context())]
    row.tag = "B-" + random.choice(sorted(NAMES))
    return Planted("mention-gained", row)


def shorten_mention(ours: list[Block], theirs: list[Block], random: Random) -> Planted | None:
    if (found := _mention(theirs, random, 2)) is None:
        return None
    block, rows = found
    before, behind = _around(block, rows)
    if random.random() < 0.5 and (behind is None or behind.tag == "O"):
        rows[-1].tag = "O"
        return Planted("mention-shortened", rows[0])
    if before is not None and before.tag != "O":
        return None  # whose word it was cannot be known
    rows[1].tag, rows[0].tag = rows[0].tag, "O"
    return Planted("mention-shortened", rows[1])


def detach_mention(ours: list[Block], theirs: list[Block], random: Random) -> Planted | None:
    if (found := _mention(theirs, random)) is None:
        return None
    block, rows = found
    start = block.rows.index(rows[0])
    tags = [row.tag for row in rows]
    before, behind = _around(block, rows)
    known = {row.token for row in ours[theirs.index(block)].rows}
    if any(row is not None and row.token not in known for row in (before, behind)):
        return None  # whether a new word beside a new name belongs to it cannot be known
    way = random.choice(("slide", "reach", "tear"))
    if way == "tear" and len(rows) > 2:
        rows[1].tag, rows[2].tag = "O", tags[0]
    elif way == "slide" and behind is not None and behind.tag == "O":
        for row, tag in zip(block.rows[start : start + len(rows) + 1], ["O", *tags], strict=True):
            row.tag = tag
        return Planted("mention-detached", block.rows[start + 1])
    elif before is not None and before.tag == "O":
        before.tag, rows[0].tag = tags[0], "I" + tags[0][1:]
        return Planted("mention-detached", before)
    else:
        return None
    return Planted("mention-detached", rows[0])


def retype_mention(ours: list[Block], theirs: list[Block], random: Random) -> Planted | None:
    if (found := _mention(theirs, random)) is None:
        return None
    label = random.choice(sorted(set(NAMES) - {found[1][0].tag[2:]}))
    for row in found[1]:
        row.tag = row.tag[:2] + label
    return Planted("mention-retyped", found[1][0])


def change_mention(ours: list[Block], theirs: list[Block], random: Random) -> Planted | None:
    if (found := _mention(theirs, random)) is None:
        return None
    block, rows = found
    if len(rows) > 1 and random.random() < 0.3:
        block.rows.remove(rows.pop())
    else:
        random.choice(rows).token = random.choice(NEW_NAMES.split())
    return Planted("mention-text-changed", rows[0])


def change_context(ours: list[Block], theirs: list[Block], random: Random) -> Planted:
    block = random.choice([block for block in theirs if len(block.context()) > 2])
    at = random.choice(block.context()[1:-1])
    way = random.choice(("replace", "delete", "insert"))
    if way == "replace":
        block.rows[at].token = random.choice(NEW_WORDS.split())
        return Planted("context-changed", block.rows[at])
    if way == "insert":
        block.rows.insert(at, Row(random.choice(NEW_WORDS.split()), "O"))
        return Planted("context-changed", block.rows[at])
    del block.rows[at]
    return Planted("context-changed", None)


def orphan(ours: list[Block], theirs: list[Block], random: Random) -> Planted | None:
    if random.random() < 0.3:
        block = random.choice([block for block in theirs if block.context()])
        at = random.choice(block.context())
        label = random.choice(sorted(NAMES))
        if at and block.rows[at - 1].tag[2:] == label:
            return None
        block.rows[at].tag = f"I-{label}"
        return Planted("orphan-inside", block.rows[at])
    if (found := _mention(theirs, random)) is None:
        return None
    block, rows = found
    before, _ = _around(block, rows)
    if before is not None and before.tag[2:] == rows[0].tag[2:]:
        return None
    if len(rows) > 1 and random.random() < 0.5:
        rows[0].tag = "O"
        return Planted("orphan-inside", rows[1])
    rows[0].tag = "I" + rows[0].tag[1:]
    return Planted("orphan-inside", rows[0])


def piece(ours: list[Block], theirs: list[Block], random: Random) -> Planted:
    block = random.choice(theirs)
    at = random.randrange(len(block.rows))
    row = block.rows[at]
    way = random.choice(("replace", "split", "begin"))
    if way == "begin":
        row.token = random.choice("\u2581\u0120") + row.token
    elif way == "replace" or len(row.token) < 4:
        row.token = "##ing"
    else:
        behind = Row("##" + row.token[3:], random.choice(("O", "I" + row.tag[1:])) if row.tag != "O" else "O")
        row.token = row.token[:3]
        block.rows.insert(at + 1, behind)
        return Planted("subword-piece", behind)
    return Planted("subword-piece", row)


def empty(ours: list[Block], theirs: list[Block], random: Random) -> Planted:
    block = random.choice(theirs)
    at = random.randrange(len(block.rows))
    if random.random() < 0.5:
        block.rows.insert(at, Row(random.choice(("", "\u200b")), "O"))
    else:
        block.rows[at].token = ""
    return Planted("empty-token", block.rows[at])


def comment(ours: list[Block], theirs: list[Block], random: Random) -> Planted:
    block = random.choice(theirs)
    key = f"{random.getrandbits(128):032x}"
    words = random.choice(
        (["#", "id", key, "domain=de"], ["#", "sent_id", "=", key], [f"# id {key}"], ["#", "id", key])
    )
    rows = [Row(word, "O") for word in words]
    if random.random() < 0.5:
        random.choice(rows).tag = "B-PER"
    if random.random() < 0.3:
        theirs.insert(theirs.index(block), Block("new", rows))
    else:
        block.rows[:0] = rows
    return Planted("comment-as-token", rows[0])


def rename_label(ours: list[Block], theirs: list[Block], random: Random) -> Planted | None:
    old, new = random.choice((("PER", "PERSON"), ("PER", "per"), ("LOC", "location"), ("ORG", "ORGANISATION")))
    rows = [row for block in theirs for row in block.rows if row.tag[2:] == old]
    for row in rows:
        row.tag = f"{row.tag[:2]}{new}"
    return Planted("label-name-differs", rows[0]) if rows else None


def restore(ours: list[Block], theirs: list[Block], random: Random) -> Planted | None:
    changed = [
        at for at, (a, b) in enumerate(zip(ours, theirs, strict=True))
        if [row.token for row in a.rows] != [row.token for row in b.rows]
    ]  # fmt: skip
    if not changed:
        return None
    at = random.choice(changed)
    theirs[at].rows = [Row(row.token, row.tag) for row in ours[at].rows]
    return Planted("unchanged", theirs[at].rows[0])


PLANTERS: dict[str, Planter] = {
    "sentence-lost": lose_sentence,
    "sentence-added": add_sentence,
    "sentence-moved": move_sentence,
    "mention-lost": lose_mention,
    "mention-gained": gain_mention,
    "mention-shortened": shorten_mention,
    "mention-detached": detach_mention,
    "mention-retyped": retype_mention,
    "mention-text-changed": change_mention,
    "context-changed": change_context,
    "orphan-inside": orphan,
    "subword-piece": piece,
    "empty-token": empty,
    "comment-as-token": comment,
    "label-name-differs": rename_label,
    "unchanged": restore,
}
ONLY: dict[str, Kind] = {"mention-text-changed": "context", "context-changed": "entity"}
"""Codes that are looked for with one kind only."""

"""Made-up sentences, and recognisers with one known fault each, as `callable:tests.planted:NAME` for whole audits.

Every mention stands between a word that tells its label and a word that ends it, so a sentence can be read by its
context alone; every name is of one label, so it can be read by its names alone. Half of the names are in the training
sentences.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from random import Random

CUES = {"Mayor": "PER", "near": "LOC", "employer": "ORG"}
ENDS = ("smiled", "yesterday", "announced")
AROUND = """
    then the old bridge was quiet and nobody saw much of it; we waited for rain but it never came
    some people found their boats again; others kept walking slowly towards cold green hills
    after lunch she read a long letter about trains; it said little of what had happened there
"""
SYLLABLES = {
    "PER": "an ro li mar ta el jo na",
    "LOC": "bur ost gra hav nor ulm ves tor",
    "ORG": "zy dex quo mil vix tra pox ent",
}
NEW = {"PER": "wu sha ki", "LOC": "pil cro gue", "ORG": "syn fro blo"}
"""Syllables of the names that the attack `gazetteer` puts in, which nobody knows."""
LENGTHS = (1, 2, 2, 3)

Tokens = list[str]
Mention = tuple[int, int, str]


def _names(syllables: dict[str, str], each: int, seed: int) -> dict[str, list[str]]:
    """Names by label: one to three words, each of two to three syllables."""
    rng = Random(seed)
    made: dict[str, list[str]] = {}
    for label, text in syllables.items():
        parts, found = text.split(), set[str]()
        while len(found) < each:
            words = ["".join(rng.choices(parts, k=rng.choice((2, 3)))).capitalize() for _ in range(rng.choice(LENGTHS))]
            found.add(" ".join(words))
        made[label] = rng.sample(sorted(found), each)
    return made


NAMES = _names(SYLLABLES, 40, seed=1)
KNOWN = {tuple(name.split()): label for label, names in NAMES.items() for name in names[:20]}
"""The names of the training sentences."""
EVERY = {tuple(name.split()): label for label, names in NAMES.items() for name in names}


def sentences(count: int, names: dict[str, list[str]], seed: int) -> list[tuple[Tokens, list[Mention]]]:
    """Sentences with one to three mentions, and their mentions."""
    rng = Random(seed)
    around = AROUND.replace(";", "").split()
    made = []
    for _ in range(count):
        tokens, spans = rng.choices(around, k=rng.randint(1, 4)), []
        for _ in range(rng.choice((1, 2, 2, 3))):
            cue = rng.choice(sorted(CUES))
            name = rng.choice(names[CUES[cue]]).split()
            tokens.append(cue)
            spans.append((len(tokens), len(tokens) + len(name), CUES[cue]))
            tokens += [*name, rng.choice(ENDS), *rng.choices(around, k=rng.randint(1, 3))]
        made.append(([*tokens, "."], spans))
    return made


def write(folder: Path, count: int = 120) -> None:
    """`data.conll`, `train.conll`, and `new.tsv` with names for the attack `gazetteer`."""
    known = {label: names[:20] for label, names in NAMES.items()}
    _write_conll(folder / "data.conll", sentences(count, NAMES, seed=2), "s")
    _write_conll(folder / "train.conll", sentences(2 * count, known, seed=3), "t")
    new = _names(NEW, 60, seed=4)
    lines = [f"{label}\t{name}" for label, names in new.items() for name in names]
    (folder / "new.tsv").write_text("\n".join(lines) + "\n", "utf-8")


def _write_conll(path: Path, made: list[tuple[Tokens, list[Mention]]], prefix: str) -> None:
    lines: list[str] = []
    for number, (tokens, spans) in enumerate(made):
        tags = ["O"] * len(tokens)
        for start, end, label in spans:
            tags[start:end] = [f"B-{label}", *[f"I-{label}"] * (end - start - 1)]
        lines += [f"# id {prefix}{number}", *map("\t".join, zip(tokens, tags, strict=True)), ""]
    path.write_text("\n".join(lines), "utf-8")


def by_names(tokens: Tokens, known: dict[tuple[str, ...], str]) -> list[Mention]:
    """The longest known name at each place."""
    found, at = [], 0
    while at < len(tokens):
        end = next((at + width for width in (3, 2, 1) if tuple(tokens[at : at + width]) in known), 0)
        end = min(end, len(tokens))
        if end:
            found.append((at, end, known[tuple(tokens[at:end])]))
        at = end or at + 1
    return found


def by_context(tokens: Tokens) -> list[Mention]:
    """What stands between a telling word and an ending one, at most four tokens."""
    found, cue = [], -1
    for at, token in enumerate(tokens):
        if token in CUES:
            cue = at
        elif token in ENDS:
            if cue >= 0 and 2 <= at - cue <= 5:
                found.append((cue + 1, at, CUES[tokens[cue]]))
            cue = -1
    return found


def names_only(batch: list[Tokens]) -> list[list[Mention]]:
    """Knows the names of the training sentences and nothing else."""
    return [by_names(tokens, KNOWN) for tokens in batch]


def contexts_only(batch: list[Tokens]) -> list[list[Mention]]:
    """Reads the words around a mention and never the mention."""
    return [by_context(tokens) for tokens in batch]


def names_then_contexts(batch: list[Tokens]) -> list[list[Mention]]:
    """Knows the names of the training sentences; what it does not know it reads from the context."""
    return [_joined(by_names(tokens, KNOWN), by_context(tokens)) for tokens in batch]


def _joined(first: list[Mention], more: list[Mention]) -> list[Mention]:
    free = [span for span in more if all(span[1] <= other[0] or other[1] <= span[0] for other in first)]
    return sorted(first + free)


def at_random(batch: list[Tokens]) -> list[list[Mention]]:
    """Guesses, the same for the same tokens."""
    return [_guess(tokens) for tokens in batch]


def _guess(tokens: Tokens) -> list[Mention]:
    rng = Random(hashlib.sha256("\x1f".join(tokens).encode()).digest())
    found, at = [], 0
    while at < len(tokens):
        end = min(len(tokens), at + rng.randint(1, 2))
        if rng.random() < 0.3:
            found.append((at, end, rng.choice(("PER", "LOC", "ORG"))))
        at = end
    return found


def mislabels_one_class(batch: list[Tokens]) -> list[list[Mention]]:
    """Knows every name of the data and reads contexts, but takes an ORG whose name it does not know for a LOC."""
    return [[(s, e, _confused(tokens[s:e], label)) for s, e, label in _everything(tokens)] for tokens in batch]


def _everything(tokens: Tokens) -> list[Mention]:
    return _joined(by_names(tokens, EVERY), by_context(tokens))


def _confused(name: Tokens, label: str) -> str:
    return "LOC" if label == "ORG" and tuple(name) not in EVERY else label


def shortens_spans(batch: list[Tokens]) -> list[list[Mention]]:
    """Knows every name of the data and reads contexts, but loses the first word of a name that it does not know."""
    return [[(_start(tokens, s, e), e, label) for s, e, label in _everything(tokens)] for tokens in batch]


def _start(tokens: Tokens, start: int, end: int) -> int:
    return start + (end - start > 1 and tuple(tokens[start:end]) not in EVERY)

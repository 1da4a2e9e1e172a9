"""A small audit with two models, three attacks and the original set, made by the real counting and statistics.

Models are noise drawn by hash, so that every figure is known to the code under test only through the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from nerquake.analyse.cases import build_cases
from nerquake.analyse.findings import findings
from nerquake.analyse.sets import original_block, set_block
from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, apply_edits
from nerquake.core.results import AuditResult, CountTable, Predictions
from nerquake.core.seeds import hashed
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import ORIGINAL, AttackedSet, Variant
from nerquake.score.count import count
from nerquake.score.flips import flips
from nerquake.stats.compare import apply_holm, apply_holm_to_results, compare_models, paired_block
from nerquake.stats.system import signature, system_block

RESAMPLES = 400
SURFACES = {
    "PER": ("Maria Lopez", "Okafor", "Jean-Luc Moreau", "Ming Zhao", "Priya", "A. B. de Vries"),
    "LOC": ("Syria", "Hyderabad", "New York", "Bad Homburg", "दिल्ली", "the Black Sea"),
    "ORG": ("Reuters", "Bank of Ghana", "AT&T", "Borussia", "Nordwind AG"),
    "MISC": ("Tour de France", "Latin"),
}
FRAMES = (
    ("{PER}", "visited", "{LOC}", "on", "Monday", "."),
    ("Shares", "of", "{ORG}", "fell", "after", "a", "costly", "blunder", "by", "{LOC}", "."),
    ("{ORG}", "hired", "{PER}", "to", "run", "its", "office", "in", "{LOC}", "."),
    ("Nothing", "happened", "there", "."),
    ("{PER}", "and", "{PER}", "met", "again", "."),
)


@dataclass(frozen=True)
class Names:
    """What the user calls things; hostile texts stand here in tests."""

    models: tuple[str, str] = ("flair:ner", "spacy:en_core_web_sm")
    sets: tuple[str, str, str] = ("swap", "letters", "para")
    labels: tuple[str, str, str, str] = ("PER", "LOC", "ORG", "MISC")
    token: str = ""
    note: str = "pool smaller than the number of mentions: 6 for 140 PER"


def dataset(names: Names, size: int) -> Dataset:
    """Sentences with up to three mentions; one in 16 has a rare label."""
    sentences = []
    for number in range(size):
        tokens: list[str] = []
        spans: list[Span] = []
        frame = ("The", "{MISC}", "begins", ".") if number % 16 == 7 else FRAMES[hashed("frame", number) % len(FRAMES)]
        for position, piece in enumerate(frame):
            label = piece.strip("{}")
            if label in SURFACES and piece.startswith("{"):
                surface = _pick(SURFACES[label], "surface", number, position).split(" ")
                shown = names.labels[list(SURFACES).index(label)]
                spans.append(Span(len(tokens), len(tokens) + len(surface), shown))
                tokens += surface
            else:
                tokens.append(piece)
        if names.token:
            tokens.append(names.token)
        sentences.append(Sentence(f"s{number:05d}", tuple(tokens), tuple(spans), meta=(("domain", "news"),)))
    return Dataset("example.conll", tuple(sentences), language="en", notes=("scheme IOB2, detected",))


def _pick(choices: Sequence[str], *what: object) -> str:
    return choices[hashed(*what) % len(choices)]


def attack(data: Dataset, name: str, change: Callable[[str], str], note: str, discard: int = 0) -> AttackedSet:
    """Every mention's text goes through `change`; of `discard` sentences one is left out."""
    variants = []
    for number, sentence in enumerate(data):
        if discard and number % discard:
            gone = Variant(sentence, sentence.id, "discarded", "a mention did not survive")
            variants.append(gone)
        elif not sentence.spans:
            same = Sentence(f"{sentence.id}~{name}", sentence.tokens, ())
            variants.append(Variant(same, sentence.id, "not-applicable", "no mention"))
        else:
            variants.append(_changed(sentence, name, change))
    return AttackedSet(name, f"{name}:types=PER|LOC", "entity", tuple(variants), (note,) if note else ())


def _changed(sentence: Sentence, name: str, change: Callable[[str], str]) -> Variant:
    edits = []
    for span in sentence.spans:
        new = tuple(change(sentence.surface(span)).split(" "))
        if new != sentence.mention(span):
            edits.append(Edit(span.start, span.end, new, "mention", (("from", "s00001"),)))
    made = apply_edits(sentence, edits, f"{sentence.id}~{name}")
    status, reason = ("changed", "") if edits else ("unchanged", "no other candidate")
    sizes = len(sentence.spans), len(edits)
    return Variant(made.sentence, sentence.id, status, reason, tuple(edits), None, made.mentions, *sizes)


def predict(tagger: str, set_name: str, sentences: Sequence[Sentence], wrong: float, names: Names) -> Predictions:
    """A model that is wrong on a share of the mentions, and invents one now and then."""
    spans = []
    for sentence in sentences:
        found = [s for span in sentence.spans for s in _said(span, (tagger, set_name, sentence.id), wrong, names)]
        if not found and len(sentence) > 3 and hashed("alarm", tagger, set_name, sentence.id) % 10 == 0:
            found = [Span(0, 1, names.labels[0])]
        spans.append(tuple(found))
    ids = tuple(sentence.id for sentence in sentences)
    return Predictions(tagger, ids, tuple(spans), ((),) * len(ids), invalid=3, left_out={"DATE": 4})


def _said(span: Span, key: tuple[str, ...], wrong: float, names: Names) -> list[Span]:
    draw = hashed(*key, span.start) % 1000 / 1000
    if draw >= wrong:
        return [span]
    kind = hashed("kind", *key, span.start) % 3
    if kind == 0:
        return []
    if kind == 1 and span.width > 1:
        return [Span(span.start, span.end - 1, span.label)]
    other = names.labels[1] if span.label != names.labels[1] else names.labels[2]
    return [Span(span.start, span.end, other)]


def _swap(surface: str) -> str:
    everything = [text for texts in SURFACES.values() for text in texts]
    return _pick([text for text in everything if text != surface], "swap", surface)


def _letters(surface: str) -> str:
    return surface.translate(str.maketrans("aeiou", "eioua"))


@cache
def example(names: Names = Names(), size: int = 240) -> AuditResult:
    """The audit. Wrong shares: about 10 % on the original text, up to 45 % under the first attack."""
    data = dataset(names, size)
    sets = (
        attack(data, names.sets[0], _swap, names.note),
        attack(data, names.sets[1], _letters, ""),
        attack(data, names.sets[2], str.upper, "", discard=3),
    )
    wrong = {ORIGINAL: 0.08, names.sets[0]: 0.40, names.sets[1]: 0.12, names.sets[2]: 0.25}
    sentences = {ORIGINAL: data.sentences, **{s.name: tuple(v.sentence for v in s.kept) for s in sets}}
    answers = {
        (tagger, name): predict(tagger, name, members, wrong[name] + 0.06 * place * (name != names.sets[0]), names)
        for place, tagger in enumerate(names.models)
        for name, members in sentences.items()
    }
    tables = {key: count(sentences[key[1]], answer) for key, answer in answers.items()}
    results = [_block(key, data, sets, sentences, answers, tables) for key in answers]
    results = apply_holm_to_results(results)
    method = {
        "command": "nerquake audit example.conll -t flair:ner -p swap -o out",
        "labels": {
            "map": {"PERSON": "PER"},
            "only": list(names.labels),
            "unmapped": "drop",
            "left_out_gold": {"DATE": 12},
            "left_out_predicted": {tagger: {"DATE": 4} for tagger in names.models},
        },
        "language": "en",
        "notes": [*data.notes],
    }
    shown = signature(scheme="iob2", repair="conlleval", seed=13, resamples=RESAMPLES, level=0.95)
    result = {
        "format": "nerquake.audit/1",
        "header": {
            "version": "0.1.0",
            "signature": shown,
            "seed": 13,
            "resamples": RESAMPLES,
            "level": 0.95,
            "inputs": [{"name": data.name, "sha256": data.fingerprint}],
        },
        "sets": [original_block(data, [s.id for s in data]), *(set_block(data, attacked) for attacked in sets)],
        "taggers": [{"name": name, "spec": f"{name},batch=8"} for name in names.models],
        "results": results,
        "comparisons": _comparisons(sentences, tables),
        "findings": findings(data, sets, answers, results, method=method, seed=13),
    }
    return AuditResult(result, build_cases(data, sets, answers), sets)


def _block(
    key: tuple[str, str],
    data: Dataset,
    sets: Sequence[AttackedSet],
    sentences: dict[str, tuple[Sentence, ...]],
    answers: dict[tuple[str, str], Predictions],
    tables: dict[tuple[str, str], CountTable],
) -> dict[str, Any]:
    tagger, name = key
    block = system_block(tagger, tables[key], sentences[name], answers[key], resamples=RESAMPLES, seed=13)
    found = {"tagger": tagger, "set": name, **block}
    attacked = next((s for s in sets if s.name == name), None)
    if attacked is None:
        return found
    parents = {sentence.id: sentence for sentence in data}
    before = dict(zip(answers[tagger, ORIGINAL].ids, answers[tagger, ORIGINAL].spans, strict=True))
    after = dict(zip(answers[key].ids, answers[key].spans, strict=True))
    flipped = {
        v.parent: flips(
            (parents[v.parent].spans, before[v.parent]), (v.sentence.spans, after[v.id]), v.mentions
        )
        for v in attacked.kept
    }  # fmt: skip
    both = (tables[tagger, ORIGINAL], tables[key], attacked.variants, flipped)
    return {
        **found,
        "paired": paired_block(*both, resamples=RESAMPLES, seed=13),
        "paired_changed": paired_block(*both, changed_only=True, resamples=RESAMPLES, seed=13),
    }


def _comparisons(
    sentences: dict[str, tuple[Sentence, ...]], tables: dict[tuple[str, str], CountTable]
) -> list[dict[str, Any]]:
    found = []
    for name in sentences:
        here = {tagger: table for (tagger, set_name), table in tables.items() if set_name == name}
        found += [{"set": name, **pair} for pair in compare_models(here, resamples=RESAMPLES, seed=13)]
    return apply_holm(found)

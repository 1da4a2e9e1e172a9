"""The sentences of the example audit with what the analyses of errors find in them, and the same as plain records."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from tests.report.example import Names, attack, dataset, predict

from nerquake.analyse.confusion import confusion
from nerquake.analyse.error_table import error_table
from nerquake.analyse.fine_grained import fine_grained
from nerquake.analyse.flips import mention_map
from nerquake.analyse.material import Material
from nerquake.analyse.overlap import overlap
from nerquake.analyse.sets import original_block, set_block
from nerquake.core.results import AuditResult
from nerquake.core.span import Span
from nerquake.core.variant import ORIGINAL
from nerquake.report.view import View

USUAL = Names()
WRONG = (0.08, 0.4, 0.15, 0.25)
"""Shares of wrong answers: on the original text and under each set."""


class Explained(NamedTuple):
    """The report's view, and the records that tests/analyse/plain_figures.py takes."""

    view: View
    records: list[dict[str, Any]]


def findings(material: Material) -> dict[str, Any]:
    return {
        "errors": error_table(material),
        "confusion": confusion(material),
        "fine_grained": fine_grained(material),
        "overlap": overlap(material),
    }


def view_of(material: Material) -> View:
    data = material.original
    return View(
        AuditResult(
            {
                "header": {"version": "0", "signature": "s", "seed": 0, "level": 0.95, "inputs": []},
                "sets": [original_block(data, list(material.sentences)), *(set_block(data, s) for s in material.sets)],
                "taggers": [{"name": name, "spec": name} for name in material.taggers],
                "results": [],
                "findings": findings(material),
            }
        )
    )


@cache
def explained(names: Names = USUAL, size: int = 160) -> Explained:
    data = dataset(names, size)
    changes = (lambda text: f"{text} II", str.swapcase, str.upper)
    sets = tuple(
        attack(data, name, change, "", discard)
        for name, change, discard in zip(names.sets, changes, (0, 0, 3), strict=True)
    )
    texts = {ORIGINAL: data.sentences, **{one.name: tuple(v.sentence for v in one.kept) for one in sets}}
    answers = {
        (model, name): predict(model, name, members, wrong, names)
        for model in names.models
        for (name, members), wrong in zip(texts.items(), WRONG, strict=True)
    }
    material = Material(data, sets, answers)
    return Explained(view_of(material), plain_records(material))


def plain_records(material: Material) -> list[dict[str, Any]]:
    """Every sentence as plain lists."""
    said = {key: dict(zip(answer.ids, answer.spans, strict=True)) for key, answer in material.predictions.items()}

    def told(name: str, key: str) -> dict[str, Any]:
        return {model: _plain(said[model, name][key]) for model in material.taggers}

    found = {
        sentence.id: {
            "id": sentence.id,
            "tokens": list(sentence.tokens),
            "gold": _plain(sentence.spans),
            "said": told(ORIGINAL, sentence.id),
            "sets": {},
        }
        for sentence in material.original
    }
    for attacked in material.sets:
        for variant in attacked.kept:
            one: Any = found[variant.parent]
            one["sets"][attacked.name] = {
                "tokens": list(variant.sentence.tokens),
                "gold": _plain(variant.sentence.spans),
                "map": list(mention_map(variant, len(one["gold"]))),
                "said": told(attacked.name, variant.id),
            }
    return list(found.values())


def _plain(spans: tuple[Span, ...]) -> list[tuple[int, int, str]]:
    return [(span.start, span.end, span.label) for span in spans]

"""Cases that test how the explorer shows texts: insertions, typos, scripts, invisible characters, rewrites, none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.report.example import example

from nerquake.analyse.cases import build_cases
from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, Rewrite, apply_edits
from nerquake.core.results import AuditResult, Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import ORIGINAL, AttackedSet, Variant

SET = "swap"
Text = tuple[str, list[Span], list[Edit]]
"""A sentence, its mentions, and what the attack does to it."""
INSERTED, TYPO, HINDI, HEBREW, HIDDEN, REWRITTEN, DISCARDED, UNCHANGED, MOST = (
    "inserted", "typo", "hindi", "hebrew", "hidden", "rewritten", "discarded", "unchanged", "most",
)  # fmt: skip
TEXTS: dict[str, Text] = {
    INSERTED: (
        "Anna lives happily in Bonn .",
        [Span(0, 1, "PER"), Span(4, 5, "LOC")],
        [Edit(1, 1, ("Lena", "now"), "context"), Edit(2, 3, (), "context"), Edit(4, 5, ("New", "York"), "mention")],
    ),
    TYPO: ("Flights to Hyderabad resume .", [Span(2, 3, "LOC")], [Edit(2, 3, ("HyderABad",), "mention")]),
    HINDI: ("वे कल अहमदाबाद गए ।", [Span(2, 3, "LOC")], [Edit(2, 3, ("अहमदीबाद",), "mention")]),
    HEBREW: ("הוא גר בחיפה היום .", [Span(2, 3, "LOC")], [Edit(2, 3, ("בירושלים",), "mention")]),
    HIDDEN: ("in Bo\u200bnn to\u00a0day \u202e .", [Span(1, 2, "LOC")], [Edit(1, 2, ("Ulm\u00ad",), "mention")]),
    REWRITTEN: ("Anna met Ben in Bonn .", [Span(0, 1, "PER"), Span(2, 3, "PER"), Span(4, 5, "LOC")], []),
    DISCARDED: ("Ben left Ulm .", [Span(0, 1, "PER"), Span(2, 3, "LOC")], []),
    UNCHANGED: ("Rain fell .", [], []),
    MOST: ("Anna Berg .", [Span(0, 2, "PER")], [Edit(0, 2, ("Jo", "Li", "Wu"), "mention")]),
}


def odd_result() -> AuditResult:
    """An audit whose first set holds these cases."""
    data, variants = [], []
    for name, (text, spans, edits) in TEXTS.items():
        sentence = Sentence(name, tuple(text.split(" ")), tuple(spans))
        data.append(sentence)
        variants.append(_variant(sentence, edits))
    base = example()
    attacked = AttackedSet(SET, SET, "entity", tuple(variants), ())
    originals = Dataset("odd.conll", tuple(data))
    answers = {}
    for model in (entry["name"] for entry in base.data["taggers"]):
        answers[model, ORIGINAL] = _answers(model, data)
        answers[model, SET] = _answers(model, [variant.sentence for variant in variants if variant.kept])
    return AuditResult(base.data, build_cases(originals, [attacked], answers))


def unchanged_result() -> AuditResult:
    """An audit whose first set changes nothing."""
    base = example()
    data = [Sentence(name, tuple(text.split(" ")), tuple(spans)) for name, (text, spans, _) in TEXTS.items()]
    same = [Sentence(f"{s.id}~{SET}", s.tokens, s.spans) for s in data]
    why = "no other candidate"
    variants = tuple(
        Variant(new, old.id, "unchanged", why, (), None, tuple(range(len(old.spans))))
        for old, new in zip(data, same, strict=True)
    )
    model = base.data["taggers"][0]["name"]
    answers = {(model, ORIGINAL): _answers(model, data), (model, SET): _answers(model, same)}
    attacked = AttackedSet(SET, SET, "entity", variants, ())
    return AuditResult(base.data, build_cases(Dataset("odd.conll", tuple(data)), [attacked], answers))


def _variant(sentence: Sentence, edits: Sequence[Edit]) -> Variant:
    if sentence.id == DISCARDED:
        return Variant(sentence, sentence.id, "discarded", "a mention did not survive")
    new = f"{sentence.id}~{SET}"
    if sentence.id == UNCHANGED:
        return Variant(Sentence(new, sentence.tokens, ()), sentence.id, "not-applicable", "no mention")
    if sentence.id == REWRITTEN:
        spans = (Span(1, 2, "LOC"), Span(3, 4, "PER"))
        tokens = ("In", "Bonn", ",", "Anna", "saw", "someone", ".")
        rewrite = Rewrite(tokens, spans, (1, None, 0), (("by", "rules"),))
        made = Sentence(new, tokens, spans)
        return Variant(made, sentence.id, "changed", "", (), rewrite, (1, None, 0))
    made_from = apply_edits(sentence, edits, new)
    return Variant(made_from.sentence, sentence.id, "changed", "", tuple(edits), None, made_from.mentions)


def _answers(model: str, sentences: Sequence[Sentence]) -> Predictions:
    """The first model finds everything; the second one the first token of each mention, and always the last token."""
    spans = []
    for sentence in sentences:
        found = list(sentence.spans)
        if model != "flair:ner":
            end = len(sentence)
            found = [*(Span(s.start, s.start + 1, s.label) for s in found), Span(end - 1, end, "ORG")]
        spans.append(tuple(found))
    return Predictions(model, tuple(s.id for s in sentences), tuple(spans), ((),) * len(spans))


OTHER_TEXTS: dict[str, Text] = {
    "inner": ("I love New York City .", [Span(2, 5, "LOC")], [Edit(3, 3, ("Old", "Big"), "mention")]),
    "cut": ("I love New York City .", [Span(2, 5, "LOC")], [Edit(3, 4, (), "mention")]),
    "arabic": (
        "زار محمد علي مدينة القاهرة أمس in 2020 .",
        [Span(1, 3, "PER"), Span(4, 5, "LOC")],
        [Edit(4, 5, ("New", "York"), "mention", (("from", "s7"),))],
    ),
    "latin": ("he met محمد علي today .", [Span(2, 4, "PER")], [Edit(4, 5, ("yesterday",), "context")]),
    "capitals": ("in Straße and Weg .", [Span(1, 2, "LOC")], [Edit(1, 2, ("STRASSE",), "mention")]),
    "dotted": ("in İstanbul ΟΔΟΣ we met .", [Span(1, 2, "LOC")], [Edit(1, 2, ("Ankara",), "mention")]),
    "signs": ("what (a|b)* is [^x] \\d+ ?", [Span(1, 2, "ORG")], [Edit(1, 2, ("c.*",), "mention")]),
    "initials": ("met A. B. de Vries .", [Span(1, 5, "ORGANIZATION")], [Edit(0, 1, ("saw",), "context")]),
    "plain": ("Nothing here at all .", [], [Edit(1, 2, ("there",), "context")]),
    "same": ("Rain fell on Bonn .", [Span(3, 4, "LOC")], []),
    "crowd": (
        " ".join(f"w{place}" for place in range(900)),
        [Span(3 * place, 3 * place + 1 + place % 2, "PER") for place in range(300)],
        [Edit(3 * place, 3 * place + 1, (f"W{place}",), "mention") for place in range(0, 300, 2)],
    ),
    "endless": ("see " + "Donaudampf" * 80 + " .", [Span(1, 2, "ORG")], [Edit(1, 2, ("Donaudamp" * 80,), "mention")]),
}


def result_of(texts: Mapping[str, Text], models: Sequence[str], domain: str = "{}") -> AuditResult:
    """An audit of these texts under one set. The n-th model misses every third mention of the attacked texts.

    domain   of a text, from its name
    """
    base = example()
    data, variants = [], []
    for name, (text, spans, edits) in texts.items():
        meta = (("domain", domain.format(name)),)
        data.append(Sentence(name, tuple(text.split(" ")), tuple(spans), meta=meta))
        made = apply_edits(data[-1], edits, f"{name}~{SET}")
        status = "changed" if edits else "unchanged"
        variants.append(Variant(made.sentence, name, status, "", tuple(edits), None, made.mentions))
    answers = {}
    for number, model in enumerate(models):
        for key, sentences in ((ORIGINAL, data), (SET, [variant.sentence for variant in variants])):
            found = (
                [span for place, span in enumerate(s.spans) if key == ORIGINAL or (place + number) % 3]
                for s in sentences
            )
            ids = tuple(s.id for s in sentences)
            answers[model, key] = Predictions(model, ids, tuple(map(tuple, found)), ((),) * len(ids))
    taggers = [next((one for one in base.data["taggers"] if one["name"] == m), {"name": m, "spec": m}) for m in models]
    attacked = AttackedSet(SET, SET, "entity", tuple(variants), ())
    cases = build_cases(Dataset("odd.conll", tuple(data)), [attacked], answers)
    return AuditResult({**base.data, "taggers": taggers}, cases)

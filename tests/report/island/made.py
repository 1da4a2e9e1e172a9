"""Made-up audits for the island: every status, every way to store a text and an answer, and hostile tokens."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from nerquake.analyse.cases import build_cases
from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, Rewrite, apply_edits, apply_rewrite
from nerquake.core.results import AuditResult, Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import ORIGINAL, AttackedSet, Variant
from nerquake.report.island.kept import Kept
from nerquake.report.view import View

LATIN = "the of Berlin New York Bank of Ghana said Mr. Okafor visited on Monday , . Bad Homburg"
HINDI = "दिल्ली में राहुल ने मुंबई कहा क्षत्रिय"
HOSTILE = ("</script>", "<img src=x onerror=window.pwned=1>", "\u202eevil", "a\u200bb", "{{7*7}}", "\ud800")
WORDS = (*LATIN.split(), *HINDI.split(), *HOSTILE, "👩\u200d👩\u200d👧", "É", "İstanbul")
LABELS = ("LOC", "PER", "ORG", "<b>MISC</b>", "घटना")


def sentence(draw: Random, number: int, size: int | None = None, words: Sequence[str] = WORDS) -> Sentence:
    """A sentence of up to 20 tokens with mentions in it."""
    tokens = tuple(draw.choice(words) for _ in range(size or draw.randint(1, 20)))
    meta = (("domain", draw.choice(("news", "wiki", "</script>"))),) if draw.random() < 0.7 else ()
    document = draw.choice((None, "doc-1", "दस्तावेज़"))
    return Sentence(f"s{number:05d}", tokens, spans(draw, len(tokens)), doc_id=document, meta=meta)


def spans(draw: Random, size: int) -> tuple[Span, ...]:
    """Mentions over some of the tokens."""
    found: list[Span] = []
    at = 0
    while at < size:
        if draw.random() < 0.25:
            end = min(size, at + draw.choice((1, 1, 2, 3)))
            found.append(Span(at, end, draw.choice(LABELS)))
            at = end
        at += 1
    return tuple(found)


def variant(draw: Random, parent: Sentence, name: str) -> Variant:
    """A variant of any status and kind."""
    new_id = f"{parent.id}~{name}" if draw.random() < 0.9 else f"{draw.getrandbits(48):012x}"
    kind = draw.random()
    same = tuple(range(len(parent.spans)))
    if kind < 0.1:
        return Variant(
            Sentence(new_id, parent.tokens, parent.spans), parent.id, "unchanged", "no other candidate", mentions=same
        )
    if kind < 0.2:
        return Variant(
            Sentence(new_id, parent.tokens, parent.spans), parent.id, "not-applicable", "no mention", mentions=same
        )
    if kind < 0.3:
        return Variant(
            Sentence(new_id, parent.tokens, parent.spans), parent.id, "discarded", "दूसरा </script>", mentions=same
        )
    return _rewritten(draw, parent, new_id) if kind < 0.4 else _edited(draw, parent, new_id)


def _edited(draw: Random, parent: Sentence, new_id: str) -> Variant:
    edits: list[Edit] = []
    inside = {at for span in parent.spans for at in range(span.start, span.end)}
    for span in parent.spans:
        if draw.random() < 0.7:
            new = tuple(draw.choice(WORDS) for _ in range(draw.randint(1, 4)))
            old = " ".join(parent.mention(span))
            edits.append(
                Edit(span.start, span.end, new, "mention", (("from", "s00001"), ("was", old), ("is", " ".join(new))))
            )
        elif span.width > 1 and draw.random() < 0.5:
            edits.append(Edit(span.start, span.start + 1, (), "mention"))
            if span.width > 2:
                edits.append(Edit(span.start + 2, span.start + 2, ("within",), "mention"))
    for at in range(len(parent)):
        if at not in inside and draw.random() < 0.15:
            edits.append(
                Edit(at, at + 1, draw.choice(((), ("inserted", "words"), ("other",))), "context", (("filler", "m"),))
            )
        elif at not in inside and at - 1 not in inside and draw.random() < 0.05:
            edits.append(Edit(at, at, ("put", "in"), "context"))
    if draw.random() < 0.1:
        edits.append(Edit(len(parent), len(parent), ("at", "the", "end"), "context"))
    removed = sum(edit.end - edit.start for edit in edits)
    if not edits or (removed == len(parent) and not any(edit.new for edit in edits)):
        edits = [Edit(len(parent), len(parent), ("end",), "context")]
    made = apply_edits(parent, edits, new_id)
    return Variant(made.sentence, parent.id, "changed", "", tuple(edits), None, made.mentions)


def _rewritten(draw: Random, parent: Sentence, new_id: str) -> Variant:
    """The sentence behind another one, some of its mentions gone."""
    tokens = tuple(draw.choice(WORDS) for _ in range(draw.randint(1, 6)))
    front = spans(draw, len(tokens))
    kept = [draw.random() < 0.7 for _ in parent.spans]
    moved = [
        Span(s.start + len(tokens), s.end + len(tokens), s.label)
        for s, keep in zip(parent.spans, kept, strict=True)
        if keep
    ]
    places = iter(range(len(front), len(front) + len(moved)))
    mentions = tuple(next(places) if keep else None for keep in kept)
    rewrite = Rewrite((*tokens, *parent.tokens), (*front, *moved), mentions, (("with", "s00002"), ("how", "concat")))
    made = apply_rewrite(parent, rewrite, new_id)
    return Variant(made.sentence, parent.id, "changed", "", (), rewrite, made.mentions)


def answer(draw: Random, text: Sentence) -> tuple[Span, ...]:
    """The gold mentions, or what a poor model makes of them."""
    if draw.random() < 0.5:
        return text.spans
    found: list[Span] = []
    for span in text.spans:
        kind = draw.random()
        if kind < 0.4:
            found.append(span)
        elif kind < 0.6:
            found.append(Span(span.start, span.end, draw.choice(LABELS)))
        elif kind < 0.8 and span.width > 1:
            found.append(Span(span.start + 1, span.end, span.label))
    if draw.random() < 0.2:
        used = {at for span in (*found, *text.spans) for at in range(span.start, span.end)}
        found += [Span(at, at + 1, draw.choice(LABELS)) for at in range(len(text)) if at not in used][:1]
    return tuple(sorted(found))


def view(sentences: Sequence[Sentence], sets: Sequence[AttackedSet], seed: int = 0, models: int = 3) -> View:
    """An audit of these sets by models that answer at random; the last one has not answered the last set."""
    draw = Random(seed)
    names = [f"model:{number}+<b>" for number in range(models)]
    answers: dict[tuple[str, str], Predictions] = {}
    for name in names:
        texts = {ORIGINAL: list(sentences), **{made.name: [v.sentence for v in made.kept] for made in sets}}
        if name == names[-1] and len(sets) > 1:
            del texts[sets[-1].name]
        for which, members in texts.items():
            said = tuple(answer(draw, text) for text in members)
            answers[name, which] = Predictions(name, tuple(t.id for t in members), said, ((),) * len(members))
    data = Dataset("made", tuple(sentences))
    result = {
        "header": {"version": "0", "signature": "s", "seed": 5, "inputs": [{"name": "made", "sha256": "abc"}]},
        "sets": [{"name": ORIGINAL}, *({"name": s.name, "spec": s.spec, "level": s.level} for s in sets)],
        "taggers": [{"name": name, "spec": name} for name in names],
        "results": [],
    }
    return View(AuditResult(result, build_cases(data, sets, answers), tuple(sets)))


def attacks(draw: Random, sentences: Sequence[Sentence], names: Sequence[str]) -> tuple[AttackedSet, ...]:
    """A set of every name."""
    return tuple(
        AttackedSet(name, f"{name}:x=1", "both", tuple(variant(draw, one, name) for one in sentences)) for name in names
    )


def audit(size: int, names: Sequence[str] = ("swap", "swap+mask", "नाम & <b>"), seed: int = 0) -> View:
    """An audit of so many sentences under each of these attacks."""
    draw = Random(seed)
    sentences = [sentence(draw, number) for number in range(size)]
    return view(sentences, attacks(draw, sentences, names), seed)


def holding(view: View, kept: Kept) -> View:
    """The same audit with a page of fewer cases."""
    data = {**view.data, "header": {**view.header, "cases": kept}}
    return View(AuditResult(data, view.all_cases, view.result.sets))

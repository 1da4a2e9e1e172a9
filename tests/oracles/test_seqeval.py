"""Strict figures against seqeval's strict mode, lenient reading against its default mode."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.sampling import batch, random_tags
from tests.score.strategies import predictions_of, sentences_of

from nerquake.core.scheme import BILOU, BIOES, IOB1, IOB2, Scheme, chunks
from nerquake.score.count import count
from nerquake.score.metrics import Rates, averages, rates, totals, type_totals

metrics = pytest.importorskip("seqeval.metrics", reason="needs the extra oracles")
schemes = pytest.importorskip("seqeval.scheme")
labeling = pytest.importorskip("seqeval.metrics.sequence_labeling")

SEEDS = st.integers(0, 2**32)
TWINS = [(IOB2, "IOB2"), (BIOES, "IOBES"), (BILOU, "BILOU"), (IOB1, "IOB1")]


def agrees(found: Rates, row: dict[str, float], what: str) -> None:
    """seqeval has 0 where a rate is undefined."""
    ours = (found.precision or 0.0, found.recall or 0.0, found.f1 or 0.0, found.possible)
    theirs = (row["precision"], row["recall"], row["f1-score"], row["support"])
    assert ours == pytest.approx(theirs, abs=1e-12), what


@pytest.mark.parametrize(("scheme", "theirs"), TWINS, ids=[name for _, name in TWINS])
@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_strict_per_type_micro_macro_and_weighted_equal_its_strict_report(
    scheme: Scheme, theirs: str, seed: int
) -> None:
    pairs = batch(seed)
    tags = [
        [scheme.encode(spans, size) for spans, size in zip(side, pairs.sizes, strict=True)]
        for side in (pairs.gold, pairs.predicted)
    ]
    table = pairs.table()
    assert table.types, "a batch of forty sentences has mentions"
    report = metrics.classification_report(
        *tags, output_dict=True, mode="strict", scheme=getattr(schemes, theirs), zero_division=0
    )
    by_type = type_totals(table)
    assert set(by_type) == set(report) - {"micro avg", "macro avg", "weighted avg"}
    for label, counts in by_type.items():
        agrees(rates(counts, "strict"), report[label], label)
    agrees(rates(totals(table), "strict"), report["micro avg"], "micro")
    for name, average in averages(table).items():
        row = report[f"{name} avg"]
        ours = (average.precision or 0.0, average.recall or 0.0, average.f1 or 0.0)
        assert ours == pytest.approx((row["precision"], row["recall"], row["f1-score"]), abs=1e-12), name


@pytest.mark.parametrize("prefixes", ["BI", "I", "BIES", "IE"])
@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_the_conlleval_rule_reads_tags_as_its_default_mode_does(prefixes: str, seed: int) -> None:
    for tags in random_tags(seed, prefixes):
        theirs = [(start, last + 1, label) for label, start, last in labeling.get_entities(tags)]
        assert [(span.start, span.end, span.label) for span in chunks(tags)] == theirs, tags


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS)
def test_lenient_figures_equal_its_default_report(seed: int) -> None:
    gold, predicted = random_tags(seed, "BI"), random_tags(seed + 1, "BI")
    cut = [min(len(g), len(p)) for g, p in zip(gold, predicted, strict=True)]
    gold, predicted = ([tags[:n] for tags, n in zip(side, cut, strict=True)] for side in (gold, predicted))
    table = count(sentences_of(map(chunks, gold)), predictions_of(map(chunks, predicted)))
    report = metrics.classification_report(gold, predicted, output_dict=True, zero_division=0)
    agrees(rates(totals(table), "strict"), report["micro avg"], "micro")
    for label, counts in type_totals(table).items():
        agrees(rates(counts, "strict"), report[label], label)


def test_where_it_differs_its_default_mode_ignores_the_last_tags_of_bilou() -> None:
    # Case 8: it does not know L and U, so two gold mentions look like one and a wrong prediction like a right one.
    gold, predicted = ["B-X", "L-X", "U-X"], ["B-X", "I-X", "I-X"]
    with pytest.warns(UserWarning, match="seems not to be NE tag"):
        assert metrics.f1_score([gold], [predicted]) == 1.0
    table = count(sentences_of([BILOU.decode(gold)]), predictions_of([IOB2.decode(predicted)]))
    assert rates(totals(table), "strict").f1 == 0.0


def test_where_it_differs_its_strict_iob1_loses_a_mention_that_begins_with_b_after_o() -> None:
    # Well-formed IOB1 has B only behind a mention of its own label; elsewhere it drops the mention, conlleval keeps it.
    tags = ["O", "B-LOC", "O"]
    assert schemes.Tokens(tags, schemes.IOB1).entities == []
    assert [(span.start, span.end) for span in IOB1.decode(tags)] == [(1, 2)]
    assert IOB1.violations(tags) == [1]

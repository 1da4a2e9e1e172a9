import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.report.example import Names, example

from nerquake.core.results import AuditResult
from nerquake.report.verdict import verdict
from nerquake.report.view import View


def changed(**paired: Any) -> Any:
    """The example with one model and one set, and these values in its comparison."""
    data = copy.deepcopy(dict(example(Names(), 120).data))
    data["taggers"], data["comparisons"] = data["taggers"][:1], []
    data["sets"] = data["sets"][:2]
    data["results"] = [b for b in data["results"] if b["tagger"] == "flair:ner" and b["set"] in ("original", "swap")]
    data["results"][1]["paired"] |= paired
    return data


def said(data: Any) -> list[str]:
    return [str(sentence) for sentence in verdict(View(AuditResult(data))).sentences]


LOSS = {"original": 0.924, "attacked": 0.585, "drop": 0.339, "low": 0.31, "high": 0.368, "p_holm": 0.0005}


def test_a_loss_word_for_word() -> None:
    found = verdict(View(AuditResult(changed(**LOSS, pairs=3684, dropped=16))))
    assert found.finding == "loss"
    assert found.title == "flair:ner loses 33.9 points of F1 under swap"
    assert str(found.sentences[0]) == (
        "flair:ner loses 33.9 points of F1 under swap: 92.4 → 58.5 (95 % interval of the loss 31.0 to 36.8; p < 0.001; "
        "3,684 of 3,700 sentences compared)."
    )


def test_an_interval_around_zero_is_no_loss_and_says_what_could_be_seen() -> None:
    data = changed(original=0.9, attacked=0.898, drop=0.002, low=-0.004, high=0.009, p_holm=0.4, pairs=120)
    found = verdict(View(AuditResult(data)))
    assert found.finding == "none"
    # half width 0.65 points, standard error 0.65 / 1.96, times 1.96 + 0.84
    assert str(found.sentences[0]) == (
        "No loss shown for flair:ner under swap: 90.0 → 89.8; the 95 % interval −0.4 to 0.9 includes zero. "
        "120 sentences could show a loss of about 0.9 points."
    )
    assert "power of 80%" in found.sentences[0].title


def test_a_corrected_p_of_a_twentieth_or_more_shows_no_loss() -> None:
    (first, *_) = said(changed(**{**LOSS, "p": 0.01, "p_holm": 0.05}))
    assert first.startswith("No loss shown for flair:ner under swap: 92.4 → 58.5;")
    assert first.endswith("the interval excludes zero, corrected p = 0.05.")


def test_too_few_resamples_for_the_correction_are_named() -> None:
    loss = {**LOSS, "p": 1 / 401, "p_holm": 24 / 401}  # 400 resamples, 24 comparisons
    (first, *_) = said(changed(**loss))
    assert first.endswith(
        "the interval excludes zero, corrected p = 0.06: 400 resamples cannot show less for so many comparisons, "
        "--resamples 500 or more could."
    )
    assert 24 / 501 < 0.05 < 24 / 401
    (first, *_) = said(changed(**{**loss, "p": 2 / 401}))
    assert first.endswith("corrected p = 0.06.")


@pytest.mark.parametrize(
    ("score", "why"),
    [
        (0.0, "Nothing was right before the attack, so that nothing could fall."),
        (0.9, "No resample of the sentences shows a change."),
    ],
)
def test_an_interval_without_width_claims_no_power(score: float, why: str) -> None:
    (first, *_) = said(changed(original=score, attacked=score, drop=0.0, low=0.0, high=0.0, p=1.0, p_holm=1.0))
    scores = f"{100 * score:.1f} → {100 * score:.1f}"
    zero = "the 95 % interval 0.0 to 0.0 includes zero."
    assert first == f"No loss shown for flair:ner under swap: {scores}; {zero} {why}"


def test_least_harm_tells_a_gain_as_one_and_passes_over_sets_that_changed_nothing() -> None:
    data = copy.deepcopy(dict(example(Names(), 240).data))
    blocks = [block for block in data["results"] if "paired" in block]
    least = blocks[1]
    least["paired"] |= {"drop": -0.011, "low": -0.024, "high": -0.002}
    (line,) = [sentence for sentence in said(data) if sentence.startswith("Least harm")]
    assert line == f"Least harm: {least['tagger']} under {least['set']}, a gain of 1.1 points [0.2, 2.4]."
    least["paired_changed"] |= {"pairs": 0}
    (line,) = [sentence for sentence in said(data) if sentence.startswith("Least harm")]
    assert "gain" not in line


def test_a_gain_says_that_the_names_may_be_easier() -> None:
    (first, *_) = said(changed(original=0.5, attacked=0.55, drop=-0.05, low=-0.08, high=-0.02, p_holm=0.01))
    assert first.startswith("flair:ner gains 5.0 points under swap: 50.0 → 55.0 (95 % interval of the gain 2.0 to 8.0;")
    assert first.endswith("This can mean that the attack put in easier names.")


def test_an_undefined_loss_is_not_evaluated_and_says_why() -> None:
    data = changed(original=None, attacked=None, drop=None, low=None, high=None, p=None, p_holm=None)
    found = verdict(View(AuditResult(data)))
    assert found.title == "Not evaluated under swap"
    assert str(found.sentences[0]).startswith("Not evaluated under swap: no mention, neither gold nor predicted")
    assert len(found.sentences) == 1


def test_one_undefined_comparison_among_others_is_a_warning() -> None:
    data = copy.deepcopy(dict(example(Names(), 240).data))
    block = next(block for block in data["results"] if block["set"] == "letters")
    block["paired"] |= {"original": None, "attacked": None, "drop": None, "low": None, "high": None}
    found = verdict(View(AuditResult(data)))
    assert found.finding == "loss"
    assert any(line.startswith("flair:ner not evaluated under letters: no mention") for line in found.warnings)


def test_without_attacks_the_original_score_stands_alone() -> None:
    data = changed()
    data["sets"], data["results"] = data["sets"][:1], data["results"][:1]
    score = f"{100 * data['results'][0]['overall']['strict']['f1']:.1f}"
    assert said(data) == [f"No attack was run: strict F1 on the original text: flair:ner {score}."]


def test_sets_of_few_sentences_give_the_headline_only_where_all_are_small() -> None:
    data = copy.deepcopy(dict(example(Names(), 240).data))
    for block in data["results"]:
        if block["set"] == "para":
            block["paired"] |= {"drop": 0.9, "low": 0.8, "high": 1.0}
    found = verdict(View(AuditResult(data)))
    assert "under para" not in found.title
    for block in data["results"]:
        if "paired" in block:
            block["paired"]["pairs"] = 99
    found = verdict(View(AuditResult(data)))
    assert "under para" in found.title
    assert found.warnings[0] == "only 99 sentences compared"


def test_flips_are_counted_from_flips() -> None:
    data = changed(**LOSS)
    row = next(r for r in data["findings"]["flips"] if (r["tagger"], r["set"]) == ("flair:ner", "swap"))
    row |= {"right": 200, "fell": 71, "rose": 6}
    assert "Of 100 mentions that it had right, 36 are no longer right; 3 are right only after the attack." in said(data)
    row |= {"fell": 2, "rose": 1}
    expected = "Of 100 mentions that it had right, 1 is no longer right; fewer than 1 are right only after the attack."
    assert expected in said(data)
    row |= {"right": 0, "fell": 0}
    assert not any("Of 100" in sentence for sentence in said(data))


def test_only_labels_with_support_are_called_hardest_hit() -> None:
    data = changed(**LOSS)
    rows = [r for r in data["findings"]["labels"] if (r["tagger"], r["set"]) == ("flair:ner", "swap")]
    for row, (label, support, before, after) in zip(
        rows, [("PER", 19, 0.9, 0.1), ("LOC", 20, 0.914, 0.412), ("ORG", 500, 0.9, 0.8)], strict=False
    ):
        drop = before - after
        row |= {"label": label, "support": support, "drop": drop}
        row |= {"original": {"strict": before, "exact": 1.0}, "attacked": {"strict": after, "exact": 1.0}}
    assert "Hit hardest: LOC 91.4 → 41.2 (support 20)." in said(data)


def test_least_harm_and_the_order_of_two_models() -> None:
    result = example(Names(), 240)
    sentences = said(result.data)
    blocks = [block for block in result.data["results"] if "paired" in block and block["paired"]["pairs"] >= 100]
    least = min(blocks, key=lambda block: block["paired"]["drop"])
    start = f"Least harm: {least['tagger']} under {least['set']}, −{100 * least['paired']['drop']:.1f} points ["
    assert any(sentence.startswith(start) for sentence in sentences)
    assert any("is overtaken by spacy:en_core_web_sm under swap (+" in sentence for sentence in sentences)
    data = copy.deepcopy(dict(result.data))
    for block in data["comparisons"]:
        block["difference"] = 0.01
    assert "The best model on original text, flair:ner, is also best under every attack." in said(data)


def test_warnings_name_sets_that_lost_or_changed_nothing_and_labels_without_a_score() -> None:
    data = changed()
    data["sets"][1]["status"] = {"changed": 0, "unchanged": 1, "not-applicable": 99, "discarded": 20}
    data["sets"][1]["reasons"] = {"no other candidate": 1}
    for row in data["findings"]["labels"]:
        if row["label"] == "MISC":
            row["drop"] = None
    assert verdict(View(AuditResult(data))).warnings == (
        "swap compares 100 of 120 sentences; its figures are not comparable with the other sets.",
        "swap changed no sentence: no other candidate (1 sentence).",
        "1 label not evaluated: MISC.",
    )


def test_sampling_alone_makes_no_set_incomparable() -> None:
    data = changed()
    data["sets"][1]["status"] = {"changed": 10, "unchanged": 0, "not-applicable": 0, "discarded": 110}
    data["sets"][1]["reasons"] = {"not sampled": 110}
    assert verdict(View(AuditResult(data))).warnings == ()


fraction = st.floats(0, 1)
DATA = changed(**LOSS)


@settings(max_examples=50)
@given(fraction, fraction, st.floats(0, 0.2), st.floats(0, 0.2), st.one_of(st.none(), fraction))
def test_the_headline_holds_exactly_the_figures_of_the_result(
    original: float, attacked: float, below: float, above: float, p: float | None
) -> None:
    drop = original - attacked
    low, high = drop - below, drop + above
    DATA["results"][1]["paired"] |= {
        "original": original, "attacked": attacked, "drop": drop, "low": low, "high": high, "p": p, "p_holm": p,
    }  # fmt: skip
    found = verdict(View(AuditResult(DATA)))
    first = str(found.sentences[0])
    assert f": {100 * original:.1f} → {100 * attacked:.1f}" in first
    assert found.finding == ("loss" if low > 0 and (p is None or p < 0.05) else "gain" if high < 0 else "none")
    if found.finding == "loss":
        assert f"loses {100 * drop:.1f} points" in first
    for word in ("robust", "brittle", "significant", "good", "poor", "impressive"):
        assert word not in first.lower()


@pytest.mark.parametrize("low", [None, 0.0])
def test_an_interval_that_is_undefined_or_touches_zero_shows_no_loss(low: float | None) -> None:
    data = changed(original=0.9, attacked=0.9, drop=0.0, low=low, high=low, p_holm=1.0)
    assert verdict(View(AuditResult(data))).finding == "none"

from typing import Any

from hypothesis import given, settings
from tests.analyse.plain_material import material, records

from nerquake.analyse.tally import Tallies, charged
from nerquake.core.results import Predictions
from nerquake.core.variant import ORIGINAL
from nerquake.score.count import count
from nerquake.score.metrics import type_totals


@settings(max_examples=40)
@given(records(("one",)))
def test_counts_by_label_are_those_of_the_scores_without_pairing_again(drawn: Any) -> None:
    found = material(drawn, ("one",))
    for tagger, attacked in found.pairs():
        kept = found.kept(attacked)
        texts = ([found.sentences[v.parent] for v in kept], [v.sentence for v in kept])
        for sentences, name, meetings in zip(
            texts, (ORIGINAL, "one"), Tallies(found).of(tagger, attacked), strict=True
        ):
            answers = found.predictions[tagger, name]
            said = dict(zip(answers.ids, answers.spans, strict=True))
            ids = tuple(sentence.id for sentence in sentences)
            chosen = Predictions(tagger, ids, tuple(said[key] for key in ids), ((),) * len(ids))
            expected = type_totals(count(sentences, chosen)) if sentences else {}
            assert {label: list(row) for label, row in charged(meetings).items()} == {
                label: list(row) for label, row in expected.items()
            }

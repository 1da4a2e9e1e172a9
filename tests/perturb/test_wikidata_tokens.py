"""Names under the entity attack are split into tokens as the sentences are that they come into."""

from __future__ import annotations

from pathlib import Path

from tests.knowledge.given import Given
from tests.perturb.helpers import by_parent, data, sentence
from tests.perturb.wikidata_cases import attacked, dictionary, members

from nerquake.knowledge.build import build


def test_characters_are_tokens_where_they_are_in_the_sentence(tmp_path: Path) -> None:
    rows = members("local:city", "GPE", {"Q1": "北京", "Q2": "上海"}, "zh")
    build([Given(rows, languages=("zh",))], tmp_path / "d.duckdb")
    corpus = data(
        [sentence("apart", "我 在 北 京 住", "O O B-GPE I-GPE O"), sentence("whole", "我 在 北京 住", "O O B-GPE O")],
        "zh",
    )
    found = by_parent(attacked(corpus, tmp_path / "d.duckdb"))
    assert found["apart"].sentence.tokens == ("我", "在", "上", "海", "住")
    assert [(span.start, span.end) for span in found["apart"].sentence.spans] == [(2, 4)]
    assert found["whole"].sentence.tokens == ("我", "在", "上海", "住")


def test_punctuation_of_other_scripts_stands_alone(tmp_path: Path) -> None:
    file = dictionary(tmp_path, members("local:city", "GPE", {"Q1": "القاهرة", "Q2": "نيويورك، الولايات"}, "ar"))
    made = attacked(data([sentence("a", "في القاهرة", "O B-GPE")], "ar"), file)
    assert made.variants[0].sentence.tokens == ("في", "نيويورك", "،", "الولايات")

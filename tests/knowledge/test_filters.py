"""Filters: what attacks no longer draw, what linking still finds, and what the dictionary says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.knowledge.given import Row, made
from tests.knowledge.linked import CLASSES, corpus, item, sentence

from nerquake.core.errors import FormatError, InputError, PluginError, UsageError
from nerquake.core.protocols import Tagging
from nerquake.core.span import Span
from nerquake.knowledge import parquet
from nerquake.knowledge.build import Choices, build
from nerquake.knowledge.builders import builders_of
from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.filter_curated import read_curated
from nerquake.knowledge.filter_names import Ascii, Easy, Unseen
from nerquake.knowledge.filters import NO_TYPE, DictionaryFilter, drawing, write_filtered
from nerquake.knowledge.link_alias import AliasLinker
from nerquake.knowledge.linking import link_dataset

ROWS: list[Row] = [
    *CLASSES,
    ("class_type", "local:capital", "GPE", "test"),
    *item("Q64", ["Berlin"], "Q515"), ("member", "Q64", "local:capital"), ("name", "Q64", "hi", "बर्लिन"),
    *item("Q90", ["Paris"], "Q515"), ("member", "Q90", "local:capital"),
    *item("Q72", ["Zürich"], "Q515", aliases=["Zurich"]),
    *item("Q61", ["Washington, D.C."], "Q515"),
    *item("Q41", ["Oder"], "Q4022"),
    *item("Q42", ["Paris"], "Q5"),
    *item("Q43", ["Anna Lind"], "Q5"),
    *item("Q99", ["Blob"], "local:thing"),
    ("person_name", "given", "en", "Anna"), ("person_name", "given", "en", "Zoë"),
    ("person_name", "given", "hi", "ज़ोया"),
]  # fmt: skip


def drawable(dictionary: Dictionary, language: str = "en") -> dict[str, list[str]]:
    """The names that every class can draw, through what attacks ask."""
    found: dict[str, list[str]] = {}
    for one, type_ in (("Q515", "GPE"), ("local:capital", "GPE"), ("Q4022", "LOC"), ("Q5", "PERSON")):
        size = dictionary.sizes([one], language, type_)[one]
        places = [(one, at) for at in range(size)]
        found[one] = sorted(instance.name for instance in dictionary.instances(places, language, type_))
    return found


def filtered(
    tmp_path: Path, *filters: DictionaryFilter, languages: Sequence[str] = (), rows: Sequence[Row] = ROWS,
    choices: Choices = Choices(),  # noqa: B008
) -> Dictionary:  # fmt: skip
    with made(rows, choices) as dictionary, drawing(dictionary, languages) as drawn:
        for one in filters:
            drawn.apply(one)
        write_filtered(drawn, str(tmp_path / "g"))
    return Dictionary.open(str(tmp_path / "g"))


def removed(dictionary: Dictionary) -> dict[str, Mapping[str, int]]:
    return {found.name: found.removed for source in dictionary.meta.sources for found in source.filters}


SEEN = corpus(sentence("s", "PARIS , Washington , D.C. and the Oder", ("PARIS", "PER"), ("Washington , D.C.", "X"),
                       ("the Oder", "X")), name="train")  # fmt: skip


def test_names_seen_in_data_are_not_drawn(tmp_path: Path) -> None:
    with filtered(tmp_path, Unseen((SEEN,))) as found:
        assert drawable(found) == {
            "Q515": ["Berlin", "Zürich"], "local:capital": ["Berlin"], "Q4022": [], "Q5": ["Anna Lind"],
        }  # fmt: skip
        assert removed(found) == {"unseen: train": {"GPE": 2, "LOC": 1, "PERSON": 1}}
        found.verify()


def test_what_is_withheld_is_still_linked(tmp_path: Path) -> None:
    data = corpus(sentence("a", "in Paris", ("Paris", "GPE")))
    with filtered(tmp_path, Unseen((SEEN,))) as found:
        (link,) = link_dataset(found, data, AliasLinker())
        assert (link.accepted, link.candidates[0].title) == ("Q90", "Paris")
        assert found.classes_of(["Q90"]) == {"Q90": ("Q515", "local:capital")}


def test_ascii_alone(tmp_path: Path) -> None:
    with filtered(tmp_path, Ascii()) as found:
        assert drawable(found)["Q515"] == ["Berlin", "Paris", "Washington, D.C."]
        assert drawable(found, "hi")["Q515"] == []
        assert found.person_names("en").given == ("Anna",)
        assert removed(found) == {"ascii": {"GPE": 2, "given names": 2}}


def test_only_in_some_languages(tmp_path: Path) -> None:
    with filtered(tmp_path, Ascii(), languages=["en"]) as found:
        assert drawable(found)["Q515"] == ["Berlin", "Paris", "Washington, D.C."]
        assert drawable(found, "hi")["Q515"] == ["बर्लिन"]
        assert found.person_names("hi").given == ("ज़ोया",)
        assert removed(found) == {"ascii": {"GPE": 1, "given names": 1}}
    with made(ROWS) as dictionary, pytest.raises(UsageError, match="not in fr"), drawing(dictionary, ["fr"]):
        pass


@dataclass(frozen=True)
class Knowing:
    """Tags whole sentences as it was told."""

    known: Mapping[str, str]

    def labels(self) -> frozenset[str]:
        return frozenset(self.known.values())

    def predict(self, batch: Sequence[tuple[str, ...]]) -> list[Tagging]:
        return [self._one(tokens) for tokens in batch]

    def _one(self, tokens: tuple[str, ...]) -> Tagging:
        label = self.known.get(" ".join(tokens))
        if label:
            return Tagging((Span(0, len(tokens), label),))
        return Tagging((Span(0, 1, "PER"),) if len(tokens) > 1 else ())


def split(name: str) -> tuple[str, ...]:
    return tuple(name.replace(",", " ,").split())


def test_names_that_a_tagger_knows_alone_are_not_drawn(tmp_path: Path) -> None:
    tagger = Knowing({"Berlin": "LOC", "Paris": "GPE", "Oder": "PER", "Washington , D.C.": "GPE", "Blob": "ORG"})
    steps: list[int] = []
    with filtered(tmp_path, Easy(tagger, "spacy:x", split, progress=steps.append), languages=["en"]) as found:
        # LOC may be a town; a river that is taken for a person is hard; a name that is known in part is hard; Paris is
        # easy as a town and stays as a person; a class without a type has no right type
        assert drawable(found) == {
            "Q515": ["Zürich"], "local:capital": [], "Q4022": ["Oder"], "Q5": ["Anna Lind", "Paris"],
        }  # fmt: skip
        assert removed(found) == {"easy: spacy:x": {"GPE": 3}}
        assert found.sizes(["local:thing"], "en", "")["local:thing"] == 1
    assert sum(steps) == 6


def test_a_tagger_that_breaks_its_protocol() -> None:
    class Silent(Knowing):
        def predict(self, batch: Sequence[tuple[str, ...]]) -> list[Tagging]:
            return []

    with made(ROWS) as dictionary, drawing(dictionary) as drawn:
        with pytest.raises(PluginError, match="gave 0 answers for 7 names"):
            drawn.apply(Easy(Silent({}), "x", split))
        with pytest.raises(PluginError, match="tagging names from 'Anna Lind'"):
            drawn.apply(Easy(None, "x", split))  # type: ignore[arg-type]


def curated(tmp_path: Path, *lines: str | bytes) -> str:
    path = tmp_path / "list.tsv"
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines))
    return str(path)


@pytest.mark.parametrize(
    ("lines", "cities", "capitals", "people"),
    [
        (["deny\tname\tPARIS"], ["Berlin", "Washington, D.C.", "Zürich"], ["Berlin"], ["Anna Lind"]),
        (["deny\titem\tQ90"], ["Berlin", "Washington, D.C.", "Zürich"], ["Berlin"], ["Anna Lind", "Paris"]),
        (["deny\tclass\tcapital"], ["Berlin", "Paris", "Washington, D.C.", "Zürich"], [], ["Anna Lind", "Paris"]),
        (["allow\tclass\tlocal:capital", "deny\titem\tQ64"], [], ["Paris"], []),
        (["allow\tname\tparis"], ["Paris"], ["Paris"], ["Paris"]),
        (["allow\titem\tQ64", "allow\tclass\tQ5", "# x", ""], ["Berlin"], ["Berlin"], ["Anna Lind", "Paris"]),
        # the name under which an item is drawn counts
        (["deny\tname\tZurich"], ["Berlin", "Paris", "Washington, D.C.", "Zürich"], ["Berlin", "Paris"],
         ["Anna Lind", "Paris"]),
    ],
)  # fmt: skip
def test_curated_lists(
    tmp_path: Path, lines: list[str], cities: list[str], capitals: list[str], people: list[str]
) -> None:
    with filtered(tmp_path, read_curated(curated(tmp_path, *lines))) as found:
        names = drawable(found)
        assert (names["Q515"], names["local:capital"], names["Q5"]) == (cities, capitals, people)
        ((name, counts),) = removed(found).items()
        assert name.startswith("curated: list.tsv ")
        assert all(counts.values())


def test_damaged_lists(tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        read_curated(curated(tmp_path, "deny\tname\tx", "deny name x", "refuse\tname\tx", "deny\tlabel\tx",
                             "deny\tname\t", b"\xff", "allow\titem\tQ1\tx"))  # fmt: skip
    assert [problem.line for problem in caught.value.problems] == [2, 3, 4, 5, 6, 7]
    with pytest.raises(InputError, match="the list is empty"):
        read_curated(curated(tmp_path, "# nothing"))
    with pytest.raises(InputError, match="no such file; a curated list is written by hand"):
        read_curated(str(tmp_path / "absent"))
    strange = read_curated(curated(tmp_path, "deny\tclass\tQ515", "deny\tclass\tQ4", "allow\tclass\tx"))
    with made(ROWS) as dictionary, drawing(dictionary) as drawn, pytest.raises(FormatError) as caught:
        drawn.apply(strange)
    assert [problem.line for problem in caught.value.problems] == [2, 3]


def test_filters_one_after_another_count_what_is_left(tmp_path: Path) -> None:
    filters = (Ascii(), Unseen((SEEN,)), Easy(Knowing({"Zürich": "GPE", "Berlin": "GPE"}), "x", split))
    with filtered(tmp_path, *filters, languages=["en"]) as found:
        assert removed(found) == {
            "ascii": {"GPE": 1, "given names": 1}, "unseen: train": {"GPE": 2, "LOC": 1, "PERSON": 1},
            "easy: x": {"GPE": 1},
        }  # fmt: skip
        assert drawable(found)["Q515"] == []


def test_entities_without_a_type_are_counted_apart(tmp_path: Path) -> None:
    seen = corpus(sentence("s", "blob", ("blob", "X")), name="train")
    with filtered(tmp_path, Unseen((seen,))) as found:
        assert removed(found) == {"unseen: train": {NO_TYPE: 1}}


def test_filtering_twice_keeps_both(tmp_path: Path) -> None:
    with filtered(tmp_path, Unseen((SEEN,))) as first, drawing(first, ["en"]) as drawn:
        drawn.apply(Ascii())
        write_filtered(drawn, str(tmp_path / "h"))
    with Dictionary.open(str(tmp_path / "h")) as second:
        assert list(removed(second)) == ["unseen: train", "ascii"]
        assert drawable(second)["Q515"] == ["Berlin"]


def test_what_a_filter_withholds_is_content(tmp_path: Path) -> None:
    with made(ROWS) as before, filtered(tmp_path, Unseen((SEEN,))) as after:
        assert before.meta.digest != after.meta.digest
        assert after.meta.sources[:-1] == before.meta.sources
        list(parquet.write(after.connection, after.meta, tmp_path / "parquet"))
        again = build(builders_of([f"import:{tmp_path / 'parquet'}"]), tmp_path / "again",
                      Choices(after.meta.languages))  # fmt: skip
        assert again.digest == after.meta.digest
        with Dictionary.open(str(tmp_path / "again")) as read:
            assert drawable(read) == drawable(after)
            assert removed(read) == removed(after)


def test_nothing_takes_the_place_of_what_a_limit_has_left(tmp_path: Path) -> None:
    choices = Choices(limit_per_class=2)
    with made(ROWS, choices) as before:
        drawn = drawable(before)["Q515"]
    assert len(drawn) == 2
    seen = corpus(sentence("s", drawn[0], (drawn[0], "X")))
    with filtered(tmp_path, Unseen((seen,)), choices=choices) as found:
        assert drawable(found)["Q515"] == drawn[1:]
        assert found.meta.limit_per_class == 2


def test_the_dictionary_that_was_read_is_as_before(tmp_path: Path) -> None:
    with made(ROWS) as dictionary:
        tables = dictionary.ask("SELECT table_name FROM duckdb_tables() ORDER BY ALL")
        before = drawable(dictionary)
        with drawing(dictionary) as drawn:
            drawn.apply(Unseen((SEEN,)))
        assert drawable(dictionary) == before
        assert dictionary.ask("SELECT table_name FROM duckdb_tables() ORDER BY ALL") == tables


def exported_filtered(folder: Path, seed: int, limit: int) -> tuple[Dictionary, str]:
    """A dictionary with a limit, one of its two cities filtered, and its export."""
    with made(ROWS, Choices(limit_per_class=limit, seed=seed)) as before:
        drawn = drawable(before)["Q515"]
    seen = corpus(sentence("s", drawn[0], (drawn[0], "X")))
    with filtered(folder, Unseen((seen,)), choices=Choices(limit_per_class=limit, seed=seed)) as found:
        list(parquet.write(found.connection, found.meta, folder / "parquet"))
        return found, str(folder / "parquet")


@pytest.mark.parametrize("seed", [None, 3])
@pytest.mark.parametrize("limit", [None, 2])
def test_a_filtered_choice_is_read_back_as_it_was_made(tmp_path: Path, seed: int | None, limit: int | None) -> None:
    found, folder = exported_filtered(tmp_path, seed=3, limit=2)
    meta = build(builders_of([f"import:{folder}"]), tmp_path / "again", Choices(found.meta.languages, limit, seed))
    assert (meta.seed, meta.limit_per_class, meta.digest) == (3, 2, found.meta.digest)


@pytest.mark.parametrize("choices", [Choices(seed=4), Choices(limit_per_class=3), Choices(limit_per_class=0)])
def test_another_choice_than_filters_have_seen_is_refused(tmp_path: Path, choices: Choices) -> None:
    _, folder = exported_filtered(tmp_path, seed=3, limit=2)
    with pytest.raises(UsageError, match="filtered with seed 3 and limit-per-class 2"):
        build(builders_of([f"import:{folder}"]), tmp_path / "again", choices)
    assert not (tmp_path / "again").exists()


def test_without_a_limit_filters_have_seen_everything(tmp_path: Path) -> None:
    with filtered(tmp_path, Unseen((SEEN,))) as found:
        list(parquet.write(found.connection, found.meta, tmp_path / "parquet"))
    choices = Choices(found.meta.languages, 1, 7)
    assert build(builders_of([f"import:{tmp_path / 'parquet'}"]), tmp_path / "again", choices).seed == 7

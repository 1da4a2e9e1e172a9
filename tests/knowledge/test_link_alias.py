"""The linker `alias`: which of several items with one name a mention stands for."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given as examples
from hypothesis import settings
from hypothesis import strategies as st
from tests.knowledge.given import CITIES, Row, made
from tests.knowledge.linked import CLASSES, corpus, item, mentions, sentence

from nerquake.core.dataset import Dataset
from nerquake.core.errors import UsageError
from nerquake.core.linking import Known
from nerquake.core.sentence import Sentence
from nerquake.knowledge.link_alias import AliasLinker
from nerquake.knowledge.linking import known_mentions, link_dataset
from nerquake.knowledge.links import Links


def linked(rows: Iterable[Row], data: Dataset, linker: AliasLinker | None = None, known: Iterable[Known] = ()) -> Links:
    with made([*CLASSES, *rows]) as dictionary:
        return link_dataset(dictionary, data, linker or AliasLinker(), list(known))


def accepted(rows: Iterable[Row], *sentences: Sentence, language: str = "en", **options: object) -> list[str | None]:
    linker = AliasLinker(**options)  # type: ignore[arg-type]
    return [link.accepted for link in linked(rows, corpus(*sentences, language=language), linker)]


def test_the_item_that_has_the_mentions_type_wins_over_fame() -> None:
    rows = [*item("Q1", ["Paris"], "Q515", 10), *item("Q2", ["Paris"], "Q5", 400)]
    data = [sentence("a", "Paris slept", ("Paris", "PER")), sentence("b", "in Paris", ("Paris", "LOC")),
            sentence("c", "in Paris", ("Paris", "location"))]  # fmt: skip
    assert accepted(rows, *data) == ["Q2", "Q1", "Q1"]


def test_items_of_other_types_alone_are_no_candidates_unless_asked_for() -> None:
    rows = item("Q1", ["Paris"], "Q515", 10)
    data = sentence("a", "Paris slept", ("Paris", "PER"))
    assert accepted(rows, data) == [None]
    assert accepted(rows, data, other_types=True) == ["Q1"]


def test_an_item_whose_types_are_not_known_is_taken_behind_those_that_agree() -> None:
    rows = [*item("Q1", ["Paris"], "Q9", 400), *item("Q2", ["Paris"], "Q515", 1)]
    data = sentence("a", "in Paris", ("Paris", "LOC"))
    assert accepted(rows[:4], data) == ["Q1"]
    assert accepted(rows, data) == ["Q2"]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (item("Q1", ["Troy"], "Q515", 1), item("Q2", ["TROY"], "Q515", 900)),  # written alike
        (item("Q1", ["Troy"], "Q515", 1), item("Q2", ["Ilium"], "Q515", 900, aliases=["Troy"])),  # label
        (item("Q1", ["Troy"], "Q515", 1), item("Q2", ["Troy"], "Q515", 900, language="de")),  # language
        (item("Q1", ["Troy"], "Q515", 1, language="mul"), item("Q2", ["Troy"], "Q515", 900, language="de")),
        (item("Q2", ["Troy"], "Q515", 9), item("Q1", ["Troy"], "Q515", 1)),  # sitelinks
        (item("Q1", ["Troy"], "Q515"), item("Q2", ["Troy"], "Q515")),  # id
        # more of the sentence's words in the description goes before label and fame
        (item("Q1", ["Ilium"], "Q515", 1, aliases=["Troy"], description="where Hector fell"),
         item("Q2", ["Troy"], "Q515", 900, description="in the state of New York")),
        # but not before the way in which the name is written
        (item("Q1", ["Troy"], "Q515", 1), item("Q2", ["TROY"], "Q515", 900, description="where Hector fell")),
    ],
)  # fmt: skip
def test_what_weighs_more(better: list[Row], worse: list[Row]) -> None:
    data = sentence("a", "Hector of Troy", ("Troy", "GPE"))
    (link,) = linked([*worse, *better], corpus(data))
    assert link.accepted == better[0][1]
    assert [one.item for one in link.candidates] == [better[0][1], worse[0][1]]
    assert link.candidates[0].score >= link.candidates[1].score


AMBIGUOUS = [
    *item("Q1", ["Springfield"], "Q515", 90, description="capital of Illinois, home of Abraham Lincoln"),
    *item("Q2", ["Springfield"], "Q515", 80, description="city in Massachusetts where basketball was invented"),
]


def test_descriptions_decide_by_context() -> None:
    data = [
        sentence("a", "Lincoln lived in Springfield .", ("Springfield", "LOC")),
        sentence("b", "Basketball began in Springfield .", ("Springfield", "LOC")),
        sentence("c", "They met in Springfield .", ("Springfield", "LOC")),
    ]
    assert accepted(AMBIGUOUS, *data) == ["Q1", "Q2", "Q1"]
    assert accepted(AMBIGUOUS, *data, context=False) == ["Q1", "Q1", "Q1"]


def test_titles_of_classes_decide_by_context() -> None:
    rows = [*item("Q1", ["Oder"], "Q515", 90), *item("Q2", ["Oder"], "Q4022", 80)]
    data = [sentence("a", "the river Oder", ("Oder", "LOC")), sentence("b", "the city Oder", ("Oder", "LOC"))]
    assert accepted(rows, *data) == ["Q2", "Q1"]


def test_descriptions_in_a_script_with_marks_and_one_without_blanks() -> None:
    rows = [*item("Q1", ["दिल्ली"], "Q515", 9, description="भारत की राजधानी", language="hi"),
            *item("Q2", ["दिल्ली"], "Q515", 90, description="अमेरिका का नगर", language="hi")]  # fmt: skip
    data = sentence("a", "दिल्ली भारत में है ।", ("दिल्ली", "LOC"))
    assert accepted(rows, data, language="hi") == ["Q1"]
    rows = [*item("Q1", ["中山"], "Q515", 9, description="广东省的城市", language="zh"),
            *item("Q2", ["中山"], "Q515", 90, description="台湾的车站", language="zh")]  # fmt: skip
    assert accepted(rows, sentence("a", "广 东 省 中 山", ("中 山", "LOC"), spaces=(False,) * 5), language="zh") == [
        "Q1"
    ]


@pytest.mark.parametrize(
    ("text", "mention", "name"),
    [
        ("in Washington , D.C. today", "Washington , D.C.", "Washington, D.C."),
        ("the O ' Neill bridge", "O ' Neill", "O'Neill"),
        ("in L' Aquila", "L' Aquila", "L'Aquila"),
        ("a Rolls - Royce", "Rolls - Royce", "Rolls-Royce"),
        ("at AT & T", "AT & T", "AT&T"),
        ("in ( West ) Berlin", "( West ) Berlin", "(West) Berlin"),
        ("in the United States", "the United States", "United States"),
        ("at Berlin 's", "Berlin 's", "Berlin"),
        ("in The Hague", "The Hague", "The Hague"),
        ("in ZÜRICH", "ZÜRICH", "Zürich"),
        ("STRASSE", "STRASSE", "Straße"),
        ("ﬁrenze", "ﬁrenze", "Firenze"),
    ],
)
def test_forms_in_which_names_stand(text: str, mention: str, name: str) -> None:
    assert accepted(item("Q1", [name], "Q515"), sentence("a", text, (mention, "GPE"))) == ["Q1"]


def test_the_form_that_stands_there_goes_first() -> None:
    rows = [*item("Q1", ["The Hague"], "Q515", 1), *item("Q2", ["Hague"], "Q515", 900)]
    assert accepted(rows, sentence("a", "in The Hague", ("The Hague", "GPE"))) == ["Q1"]


@pytest.mark.parametrize(
    ("language", "name"), [("ar", "القدس"), ("he", "תל אביב"), ("ar", "الأمم المتحدة"), ("ur", "لاہور")]
)
def test_names_from_right_to_left(language: str, name: str) -> None:
    rows = item("Q1", [name], "Q515", language=language)
    assert accepted(rows, sentence("a", f"x {name} .", (name, "GPE")), language=language) == ["Q1"]


@pytest.mark.parametrize(("language", "name"), [("zh", "北京"), ("ja", "東京タワー"), ("th", "เชียงใหม่")])
def test_names_whose_characters_are_tokens(language: str, name: str) -> None:
    """As in MultiCoNER, whose files do not say where blanks are."""
    text = " ".join(name)
    rows = item("Q1", [name], "Q515", language=language)
    assert accepted(rows, sentence("a", f"x {text} y", (text, "GPE")), language=language) == ["Q1"]


def test_file_blanks_count_where_they_are_known() -> None:
    data = sentence("a", "in 中 山", ("中 山", "GPE"), spaces=(True, False, False))
    (link,) = linked(item("Q1", ["中山"], "Q515", language="zh"), corpus(data, language="zh"))
    assert (link.text, link.accepted) == ("中山", "Q1")


def test_labels_without_types_are_said_and_not_looked_up() -> None:
    data = corpus(sentence("a", "in Troy", ("Troy", "widget")), sentence("b", "Troy", ("Troy", "DATE")))
    found = linked(item("Q1", ["Troy"], "Q515"), data)
    assert [link.accepted for link in found] == [None, None]
    (said,) = [line for line in found.notes if "not known" in line]
    assert "widget (1 mentions)" in said
    assert "DATE" not in said
    assert linked(item("Q1", ["Troy"], "Q515"), data, AliasLinker(types=("widget=GPE",))).item(
        "a", data.sentences[0].spans[0]) == "Q1"  # fmt: skip


def test_a_type_with_a_label_of_its_own_is_not_looked_up_for_another() -> None:
    rows = item("Q1", ["Troy"], "Q515")
    data = [sentence("a", "in Troy", ("Troy", "LOC"))]
    assert accepted(rows, *data) == ["Q1"]
    assert accepted(rows, *data, sentence("b", "in Rome", ("Rome", "GPE"))) == [None, None]


def test_candidates_are_cut_and_titled() -> None:
    rows = [row for n in range(1, 6) for row in item(f"Q{n}", [f"Troy {n}"], "Q515", 9 - n, aliases=["Troy"])]
    (link,) = linked(rows, corpus(sentence("a", "Troy", ("Troy", "GPE"))), AliasLinker(keep=3))
    assert [(one.item, one.title) for one in link.candidates] == [("Q1", "Troy 1"), ("Q2", "Troy 2"), ("Q3", "Troy 3")]


def test_options_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="keep=0"):
        AliasLinker(keep=0)
    with pytest.raises(UsageError):
        AliasLinker(types=("LOC=",))
    with pytest.raises(UsageError, match="looking_in"):
        AliasLinker().link(mentions(sentence("a", "Troy", ("Troy", "GPE"))))


def test_what_it_depends_on() -> None:
    known = [Known(one, "Q1") for one in mentions(sentence("a", "Troy", ("Troy", "GPE")))]
    prints = {linker.fingerprint() for linker in (
        AliasLinker(), AliasLinker(context=False), AliasLinker(keep=3), AliasLinker(types=("LOC=GPE",)),
        AliasLinker().learned(known),
    )}  # fmt: skip
    assert len(prints) == 5
    assert AliasLinker(types=("LOC=GPE/LOC/FAC",)).fingerprint() == AliasLinker().fingerprint()


TRAIN = corpus(
    *(sentence(f"h{n}", "the poet wrote Ajax in verse", ("Ajax", "work")) for n in range(3)),
    *(sentence(f"f{n}", "the club Ajax won a match", ("Ajax", "ORG")) for n in range(3)),
    *(sentence(f"c{n}", "Georgia , capital Tbilisi , Caucasus", ("Georgia", "LOC")) for n in range(5)),
    *(sentence(f"s{n}", "Georgia , capital Atlanta , peaches", ("Georgia", "LOC")) for n in range(2)),
    sentence("n", "one Nobody", ("Nobody", "PER")),
    name="train",
)
ITEMS = {"h": "Q100", "f": "Q200", "c": "Q230", "s": "Q1428", "n": None}
KNOWN = [Known(one, ITEMS[one.sentence.id[0]]) for one in mentions(*TRAIN)]


def test_known_mentions_decide_by_type_and_by_context() -> None:
    data = corpus(
        sentence("1", "Ajax is old", ("Ajax", "work")),
        sentence("2", "Ajax is old", ("Ajax", "ORG")),
        sentence("3", "from Georgia", ("Georgia", "LOC")),
        sentence("4", "peaches from Georgia and Atlanta", ("Georgia", "LOC")),
        sentence("5", "the Caucasus lies in Georgia", ("Georgia", "LOC")),
        sentence("6", "GEORGIA", ("GEORGIA", "LOC")),
        sentence("7", "Nobody came", ("Nobody", "PER")),
        sentence("8", "Georgia", ("Georgia", "PER")),
        sentence("9", "Atlantis", ("Atlantis", "LOC")),
    )
    found = [link.accepted for link in linked([], data, known=KNOWN)]
    assert found == ["Q100", "Q200", "Q230", "Q1428", "Q230", "Q230", None, "Q230", None]


def test_known_mentions_go_before_the_dictionary_where_the_type_is_theirs() -> None:
    rows = [*item("Q1", ["Georgia"], "Q515", 900), *item("Q2", ["Georgia"], "Q5", 900), *item("Q3", ["Nobody"], "Q5")]
    data = corpus(
        sentence("1", "Georgia", ("Georgia", "LOC")), sentence("2", "Georgia", ("Georgia", "PER")),
        sentence("3", "Nobody", ("Nobody", "PER")),
    )  # fmt: skip
    found = linked(rows, data, known=KNOWN)
    assert [link.accepted for link in found] == ["Q230", "Q2", None]
    assert [one.item for one in found.links[0].candidates] == ["Q230", "Q1428", "Q1"]


def test_an_item_known_for_another_type_is_refused_where_its_own_types_contradict() -> None:
    data = corpus(sentence("1", "Ajax won", ("Ajax", "PER")))
    assert linked([], data, known=KNOWN[:1]).links[0].accepted == "Q100"
    assert linked([("member", "Q100", "Q11424")], data, known=KNOWN[:1]).links[0].accepted is None


def test_known_mentions_from_links() -> None:
    with made(CITIES) as dictionary:
        train = corpus(sentence("a", "Paris , capital", ("Paris", "LOC")))
        links = link_dataset(dictionary, train, AliasLinker())
        assert [known.item for known in known_mentions(train, links)] == ["Q90"]


WORDS = st.lists(st.sampled_from(["river", "city", "poet", "Troy", "match", "capital"]), max_size=4)
LABELS = ["LOC", "PER", "ORG", "work"]
MARKED = st.lists(st.tuples(WORDS, st.sampled_from(LABELS)), min_size=len(LABELS), max_size=6)


@pytest.fixture(scope="module")
def learned() -> Iterator[AliasLinker]:
    rows = [*AMBIGUOUS, *item("Q7", ["Troy"], "Q515", 5), *item("Q8", ["Troy"], "Q4022", 5)]
    with made([*CLASSES, *rows]) as dictionary:
        yield AliasLinker().learned(KNOWN).looking_in(dictionary)


@settings(max_examples=20)
@examples(MARKED, st.randoms())
def test_a_mentions_candidates_do_not_depend_on_other_mentions(
    learned: AliasLinker, marked: list[tuple[list[str], str]], order: random.Random
) -> None:
    asked = mentions(*(
        sentence(str(n), " ".join([*words, "Troy"]), ("Troy", label)) for n, (words, label) in enumerate(marked)
    ))  # fmt: skip
    alone = [learned.link([one])[0] for one in asked]
    places = list(range(len(asked)))
    order.shuffle(places)
    assert learned.link([asked[at] for at in places]) == [alone[at] for at in places]

"""Mentions found again in paraphrases, and why candidates are not taken."""

from __future__ import annotations

import pytest
from tests.perturb.helpers import data, sentence

from nerquake.core.dataset import Dataset
from nerquake.core.errors import PluginError
from nerquake.core.paraphrases import Candidate
from nerquake.core.sentence import Sentence
from nerquake.perturb.paraphrase_mentions import (
    CHANGED,
    DUPLICATED,
    EMPTY,
    LOST,
    NEW,
    SPLIT,
    UNCLEAR,
    UNWRITABLE,
    Mapped,
    Mapper,
)
from nerquake.perturb.paraphrase_names import mentions_of
from nerquake.perturb.paraphrase_tokens import Conventions

MATCH = sentence("match", "Anna Lind beat the Red Cross in Bonn .", "B-PER I-PER O O B-ORG I-ORG O B-LOC O")
MAY = sentence("may", "May met May in May .", "B-PER O B-PER O B-DATE O")
IRAN = sentence("iran", "Iranian officials met the Iran coach in Iran .", "O O O O B-GPE O O B-GPE O")
OTHERS = sentence("others", "Rosa Lind left Paris for the May Fair", "B-PER I-PER O B-LOC O O B-MISC I-MISC")


def mapped(one: Sentence, given: str | Candidate, corpus: Dataset | None = None) -> Mapped | str:
    corpus = corpus or data([MATCH, MAY, IRAN, OTHERS])
    mapper = Mapper(Conventions.of(corpus, "en"), mentions_of(corpus))
    return mapper.map(one, Candidate(text=given) if isinstance(given, str) else given)


def texts(one: Sentence, found: Mapped | str) -> list[tuple[str, str]]:
    """The mentions of the rewrite with their labels, in the paraphrase's order."""
    assert isinstance(found, Mapped), found
    made = found.rewrite(one, ())
    return [(" ".join(made.tokens[span.start : span.end]), span.label) for span in made.spans]


@pytest.mark.parametrize(("text", "reason"), [
    ("In Bonn , the Red Cross was beaten .", LOST),
    ("In Bonn the Red Cross was beaten by anna lind .", CHANGED),
    ("In Bonn the Red Cross was beaten by Lind .", CHANGED),
    ("In Bonn the Red Cross was beaten by Anna Lind-Groß .", CHANGED),
    ("In Bonn the Red Cross was beaten by Anna M. Lind .", SPLIT),
    ("Anna Lind beat the Red Cross in Bonn , in Bonn .", DUPLICATED),
    ("In Bonn the Red Cross was beaten by Anna Lind of Paris .", NEW),
    ("", EMPTY),
    (" \u00a0 ", EMPTY),
])  # fmt: skip
def test_what_is_not_taken(text: str, reason: str) -> None:
    assert mapped(MATCH, text) == reason


def test_mentions_are_found_wherever_they_stand() -> None:
    found = mapped(MATCH, "In Bonn, the Red Cross was beaten by Anna Lind.")
    assert isinstance(found, Mapped)
    assert " ".join(found.tokens) == "In Bonn , the Red Cross was beaten by Anna Lind ."
    assert texts(MATCH, found) == [("Bonn", "LOC"), ("Red Cross", "ORG"), ("Anna Lind", "PER")]
    assert found.rewrite(MATCH, ()).mentions == (2, 1, 0)


def test_no_name_is_found_inside_a_word() -> None:
    """Case 21."""
    found = mapped(IRAN, "In Iran, the Iran coach was met by Iranian officials.")
    assert isinstance(found, Mapped)
    assert [found.tokens[start - 1] for start, _ in found.places] == ["the", "In"]
    assert mapped(IRAN, "In Iran , the Iranian coach was met by officials .") == LOST
    assert mapped(IRAN, "In Iran , the Iran-born coach was met by Iranian officials .") == LOST


def test_equal_names_by_what_stands_around_them() -> None:
    """Case 11, turned round: the month comes first."""
    assert texts(MAY, mapped(MAY, "In May , May met May .")) == [("May", "DATE"), ("May", "PER"), ("May", "PER")]
    assert texts(MAY, mapped(MAY, "May met with May in May .")) == [("May", "PER"), ("May", "PER"), ("May", "DATE")]


def test_equal_names_that_nothing_tells_apart() -> None:
    assert mapped(MAY, "May saw May and May .") == UNCLEAR
    assert mapped(MAY, "May saw May .") == LOST
    two = sentence("two", "May visited Paris in May .", "B-PER O B-LOC O O O")
    assert texts(two, mapped(two, "In May , Paris was visited by May .")) == [("Paris", "LOC"), ("May", "PER")]
    # the month stayed and the person went: it is not taken for her
    assert mapped(two, "In May , Paris was visited .") == UNCLEAR
    assert mapped(two, "Paris was visited by May .") == UNCLEAR, "who or when: the words around it fit both"


JORDAN = "Jordan visited Jordan"
TOLD = "Yesterday Ann said Jordan often visited Jordan on Monday"


@pytest.mark.parametrize(("old", "tags", "new", "expected"), [
    # a passive turns the two round, whatever stands around them
    (JORDAN, "B-PER O B-LOC", "Jordan was visited by Jordan", None),
    (JORDAN, "B-PER O B-LOC", "Jordan , visited by Jordan , smiled", None),
    (f"{JORDAN} on Monday", "B-PER O B-LOC O O", "Jordan was visited by Jordan on Monday", None),
    (TOLD, "O B-PER O B-PER O O B-LOC O O", "Yesterday Ann said Jordan was often visited by Jordan on Monday", None),
    ("Jordan was visited by Jordan", "B-LOC O O O B-PER", "Jordan visited Jordan", None),
    (f"Yesterday {JORDAN}", "O B-PER O O", "Yesterday Jordan was visited", None),
    # the words that face each other stay
    (f"{JORDAN} on Monday", "B-PER O B-LOC O O", "On Monday Jordan visited Jordan", "PER LOC"),
    (f"Ann said {JORDAN}", "B-PER O B-PER O B-LOC", "Jordan visited Jordan , Ann said", "PER LOC PER"),
    ("Ann said Jordan beat Jordan in Jordan", "B-PER O B-PER O B-ORG O B-LOC",
     "In Jordan , Jordan beat Jordan , Ann said", "LOC PER ORG PER"),
    # one that cannot be mistaken says which the other one is
    ("Amazon bought land in the Amazon", "B-ORG O O O O B-LOC", "Land in the Amazon was bought by Amazon", "LOC ORG"),
])  # fmt: skip
def test_equal_names_of_two_labels(old: str, tags: str, new: str, expected: str | None) -> None:
    one = sentence("two", old, tags)
    found = mapped(one, new, data([one]))
    if expected is None:
        assert found == UNCLEAR
    else:
        assert [label for _, label in texts(one, found)] == expected.split()


LONGER = sentence("longer", "The Bank of England wrote to Paris Hilton and the New York Times",
                  "O B-ORG I-ORG I-ORG O O B-PER I-PER O O B-ORG I-ORG I-ORG")  # fmt: skip


@pytest.mark.parametrize(("old", "tags", "new", "reason"), [
    ("He saw Paris", "O O B-LOC", "Paris Hilton was what he saw", NEW),
    ("England has a bank", "B-LOC O O O", "The Bank of England is there", NEW),
    ("In New York the Times said so", "O B-LOC I-LOC O O O O", "So said the New York Times", NEW),
    ("York won", "B-LOC O", "It was New York that won", CHANGED),
    ("York won", "B-LOC O", "New York won", CHANGED),
    ("York won", "B-LOC O", "It was York Hilton that won", CHANGED),
    ("York won", "B-LOC O", "The York won", ""),
    ("Paris Hilton was seen in Paris", "B-PER I-PER O O O B-LOC", "In Paris was seen Paris Hilton", ""),
    ("He read the New York Times", "O O O B-LOC I-LOC O", "The New York Times he read", ""),
])  # fmt: skip
def test_a_mention_in_a_longer_name(old: str, tags: str, new: str, reason: str) -> None:
    one = sentence("short", old, tags)
    found = mapped(
        one, new, data([one, LONGER, sentence("the", "the", "O"), sentence("hague", "The Hague", "B-LOC I-LOC")])
    )
    assert (found if isinstance(found, str) else "") == reason


def test_a_longer_name_by_origin() -> None:
    one = sentence("split", "In New York the Times said so", "O B-LOC I-LOC O O O O")
    corpus = data([one, LONGER])
    assert mapped(one, origin(6, 5, 3, 1, 2, 4, 0, one=one), corpus) == NEW
    whole = sentence("whole", "He read the New York Times", "O O O B-LOC I-LOC O")
    assert isinstance(mapped(whole, origin(2, 3, 4, 5, 0, 1, one=whole), corpus), Mapped)


def test_many_equal_names() -> None:
    many = sentence("many", " ".join(["Bo", "and"] * 7), " ".join(["B-PER", "O"] * 7))
    found = mapped(many, "with " + " ".join(["Bo", "or"] * 7), data([many]))
    assert isinstance(found, Mapped) and len(found.places) == 7
    mixed = sentence("mixed", " ".join(["Bo", "and"] * 7), " ".join(["B-PER", "O"] * 6 + ["B-LOC", "O"]))
    assert mapped(mixed, "with " + " ".join(["Bo", "or"] * 7), data([mixed])) == UNCLEAR


def test_a_name_inside_another() -> None:
    one = sentence("in", "York won in New York today", "B-PER O O B-LOC I-LOC O")
    assert texts(one, mapped(one, "Today York won in New York")) == [("York", "PER"), ("New York", "LOC")]
    assert texts(one, mapped(one, "In New York York won today")) == [("New York", "LOC"), ("York", "PER")]
    hidden = sentence("hidden", "New York won in New York", "B-MISC B-PER O O B-LOC I-LOC")
    assert mapped(hidden, "In New York New York won") == UNCLEAR


def test_adjacent_mentions() -> None:
    """Case 20."""
    one = sentence("next", "EU Anna Anna said so", "B-ORG B-PER B-PER O O")
    assert texts(one, mapped(one, "So said EU Anna Anna", data([one]))) == [
        ("EU", "ORG"), ("Anna", "PER"), ("Anna", "PER"),
    ]  # fmt: skip


def origin(*places: int | None, one: Sentence = MATCH, words: tuple[str, ...] = ()) -> Candidate:
    """The sentence's tokens in another order; a new token is the next of `words`."""
    new = iter(words)
    return Candidate(tokens=tuple(next(new) if at is None else one.tokens[at] for at in places), origin=places,
                     rules=("test",))  # fmt: skip


@pytest.mark.parametrize(("candidate", "expected"), [
    (origin(6, 7, None, 3, 4, 5, None, 2, None, 0, 1, 8, words=(",", "was", "by")), (2, 1, 0)),
    (origin(3, 4, 5, 6, 7, 8), LOST),
    (origin(0, 2, 3, 4, 5, 6, 7), CHANGED),
    (origin(1, 0, 2, 3, 4, 5, 6, 7), SPLIT),
    (origin(0, None, 1, 2, 3, 4, 5, 6, 7, words=("M.",)), SPLIT),
    (origin(0, 1, 0, 1, 2, 3, 4, 5, 6, 7), DUPLICATED),
    (origin(0, 1, 2, 3, 4, 5, 6, 7, None, words=("Bonn",)), DUPLICATED),
    (origin(0, 1, 2, 3, 4, 5, 6, 7, None, words=("Paris",)), NEW),
    (Candidate(tokens=("Anna", "LIND", "beat"), origin=(0, 1, 2)), CHANGED),
    (Candidate(tokens=("Anna", ""), origin=(0, None)), EMPTY),
    (origin(0, 1, 2, 3, 4, 5, 6, 7, None, words=("a\tb",)), UNWRITABLE),
    (origin(0, 1, 2, 3, 4, 5, 6, 7, None, words=("\u200b",)), UNWRITABLE),
    (origin(0, 1, 2, 3, 4, 5, 6, 7, None, words=("\ud800",)), UNWRITABLE),
])  # fmt: skip
def test_mentions_by_origin(candidate: Candidate, expected: tuple[int, ...] | str) -> None:
    found = mapped(MATCH, candidate)
    assert (found.rewrite(MATCH, ()).mentions if isinstance(found, Mapped) else found) == expected


OWN = sentence("own", "The win of Anna is not big", "O O O B-PER O O O")


@pytest.mark.parametrize(("habit", "expected"), [
    ("I do n't know Bo 's cat", "Anna 's win is n't big"),
    ("I don ' t know Bo ' s cat", "Anna ' s win is n ' t big"),
    ("I don't know Bo's cat", CHANGED),
])  # fmt: skip
def test_new_clitics_are_tokenised_as_the_data_set_is(habit: str, expected: str) -> None:
    corpus = data([OWN, sentence("habit", habit, " ".join("O" for _ in habit.split()))])
    made = origin(3, None, 1, 4, None, 6, one=OWN, words=("'s", "n't"))
    found = mapped(OWN, made, corpus)
    assert (" ".join(found.tokens) if isinstance(found, Mapped) else found) == expected
    if isinstance(found, Mapped):
        assert len(found.origin) == len(found.tokens) and texts(OWN, found) == [("Anna", "PER")]
    plain = mapped(OWN, origin(0, 1, 2, 3, 4, None, 6, one=OWN, words=("n't",)), corpus)
    assert isinstance(plain, Mapped)
    assert plain.tokens[4:-1] == {"'s": ("is", "n't"), "s": ("is", "n", "'", "t")}.get(habit.split()[-2], ("isn't",))


def test_equal_names_by_origin_are_never_unclear() -> None:
    found = mapped(MAY, origin(None, 4, 2, None, 0, 5, one=MAY, words=("On", "and")))
    assert texts(MAY, found) == [("May", "DATE"), ("May", "PER"), ("May", "PER")]


def test_a_word_of_the_original_with_a_capital_now_is_no_other_name() -> None:
    one = sentence("modal", "Anna may win", "B-PER O O")
    made = Candidate(tokens=("May", "Anna", "win"), origin=(1, 0, 2), rules=("question",))
    corpus = data([one, MAY])
    assert isinstance(mapped(one, made, corpus), Mapped)
    assert mapped(one, Candidate(tokens=("May", "Anna", "win")), corpus) == NEW


@pytest.mark.parametrize("origins", [(0, 1), (0, 9, 2), (0, -1, 2)])
def test_origins_that_no_sentence_has(origins: tuple[int, ...]) -> None:
    with pytest.raises(PluginError, match="sentence 'match': broken gave 3 tokens with the origins"):
        mapped(MATCH, Candidate(tokens=("a", "b", "c"), origin=origins, rules=("broken",)))


@pytest.mark.parametrize("name", ["हैदराबाद", "🙂", "AT&T", "U.S.", "O'Brien", "Troia-Ausstellung", "Ångström", "北京"])
def test_names_of_all_kinds(name: str) -> None:
    one = Sentence("odd", (name, "won", "today"), (sentence("x", "x", "B-PER").spans[0],))
    assert texts(one, mapped(one, f"Today {name} won", data([one]))) == [(name, "PER")]
    assert texts(one, mapped(one, f"Today won {name}, they say", data([one]))) == [(name, "PER")]


def test_odd_tokens_of_the_original_stay() -> None:
    one = Sentence("odd", ("Anna", "\u200b", "won"), (sentence("x", "x", "B-PER").spans[0],))
    found = mapped(one, Candidate(tokens=("won", "\u200b", "Anna"), origin=(2, 1, 0), rules=("x",)), data([one]))
    assert isinstance(found, Mapped) and found.places == ((2, 3),)


def test_thousands_of_tokens() -> None:
    words = [f"w{number}" for number in range(4000)]
    one = sentence("long", " ".join(["Anna", *words]), " ".join(["B-PER", *["O"] * 4000]))
    found = mapped(one, " ".join([*words, "Anna"]), data([one]))
    assert isinstance(found, Mapped) and found.places == ((4000, 4001),)

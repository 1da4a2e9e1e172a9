"""The tree of errors, and what its messages say."""

from __future__ import annotations

import pytest

from nerquake.core import errors
from nerquake.core.errors import EditError, FormatError, MissingExtra, NerquakeError, Problem, UnknownName


def tree() -> list[type[Exception]]:
    return [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]


def test_every_error_of_a_user_ends_with_exit_code_2() -> None:
    kinds = [kind for kind in tree() if issubclass(kind, NerquakeError)]
    assert len(kinds) > 8
    assert all(kind.exit_code == 2 for kind in kinds)


def test_a_bug_in_a_perturbation_is_no_error_of_the_user() -> None:
    assert not issubclass(EditError, NerquakeError)


def test_the_docstring_shows_the_whole_tree() -> None:
    assert errors.__doc__ is not None
    assert [kind.__name__ for kind in tree() if kind.__name__ not in errors.__doc__] == []


def test_an_unknown_name_gets_near_matches_and_the_whole_list() -> None:
    message = str(UnknownName("perturbation", "swop", ("faker", "letters", "swap"), "See the docs."))
    assert message == (
        "no perturbation is called 'swop'. Did you mean swap? There are: faker, letters, swap. See the docs."
    )


def test_a_name_far_from_all_others_gets_the_list_only() -> None:
    assert str(UnknownName("tagger", "zzz", ("file", "rules"))) == "no tagger is called 'zzz'. There are: file, rules."
    assert str(UnknownName("pipeline", "en", ())) == "no pipeline is called 'en'. There are none."


def test_a_missing_extra_names_the_exact_line() -> None:
    message = str(MissingExtra("the tagger spacy", "spacy", "spacy"))
    assert message == 'the tagger spacy needs spacy, which is not installed: pip install "nerquake[spacy]"'


def test_a_problem_says_where_what_and_how_to_mend_it() -> None:
    problem = Problem("bad-tag", 9, "no tag", "b-PER", "B-PER")
    assert str(problem) == "line 9: no tag at 'b-PER' (B-PER) [bad-tag]"
    assert str(Problem("empty", 0, "no sentences")) == "no sentences [empty]"


@pytest.mark.parametrize(("count", "head"), [(1, "x.conll: 1 problem\n"), (3, "x.conll: 3 problems\n")])
def test_all_problems_are_listed(count: int, head: str) -> None:
    message = str(FormatError("x.conll", [Problem("bad-tag", i + 1, "no tag") for i in range(count)], "Try --lenient."))
    assert message.startswith(head)
    assert message.count("[bad-tag]") == count
    assert message.endswith("\nTry --lenient.")


def test_a_long_list_is_cut_and_says_where_the_rest_is() -> None:
    error = FormatError("x.conll", [Problem("bad-tag", i + 1, "no tag") for i in range(25)])
    assert str(error).endswith("and 5 more; `nerquake validate x.conll` lists them all")
    assert len(error.problems) == 25

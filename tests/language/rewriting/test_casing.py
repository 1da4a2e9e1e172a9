"""Capitals and commas after words have moved, on hand-made words."""

from __future__ import annotations

from nerquake.language.rewriting.casing import finish
from nerquake.language.rewriting.tree import Tree, Word

NAMES = {"Paris", "Siemens", "NASA"}


def _tree(text: str, mentions: tuple[tuple[int, int], ...] = (), labels: tuple[str, ...] = ()) -> Tree:
    words = [
        Word(at, token, token.lower(), "PROPN" if token in NAMES else "X", "NNP" if token in NAMES else "NN", "dep", 0)
        for at, token in enumerate(text.split())
    ]
    return Tree(tuple(words), mentions, labels)


def _finished(text: str, order: str, mentions: tuple[tuple[int, int], ...] = ()) -> str | None:
    """The sentence with its tokens in an order: numbers for its tokens, anything else for new ones."""
    tree = _tree(text, mentions)
    pieces = [(tree.words[int(one)].text, int(one)) if one.isdigit() else (one, None) for one in order.split()]
    done = finish(tree, pieces)
    return None if done is None else " ".join(done.tokens)


def test_the_first_capital_moves() -> None:
    assert _finished("The wind fell at dawn .", "3 4 , 0 1 2 5") == "At dawn , the wind fell ."


def test_names_and_acronyms_and_nationalities_keep_theirs() -> None:
    assert _finished("Siemens fell today .", "2 0 1 3") == "Today Siemens fell ."
    assert _finished("NASA fell today .", "2 0 1 3") == "Today NASA fell ."
    assert _finished("Danish ships fell today .", "3 0 1 2 4") == "Today Danish ships fell ."
    assert _finished("I fell today .", "2 0 1 3") == "Today I fell ."


def test_a_mention_keeps_its_letters() -> None:
    assert _finished("Old Alps shook today .", "3 0 1 2 4", ((0, 2),)) == "Today Old Alps shook ."


def test_a_mention_whose_article_has_its_capital_from_the_start_stays_there() -> None:
    assert _finished("The Alps shook today .", "3 0 1 2 4", ((0, 2),)) is None
    assert _finished("The Alps shook today .", "0 1 3 2 4", ((0, 2),)) == "The Alps today shook ."
    tree = _tree("The Sting won today .", ((0, 2),), ("WORK_OF_ART",))
    done = finish(tree, [(tree.words[at].text, at) for at in (3, 0, 1, 2, 4)])
    assert done is not None
    assert done.tokens == ("Today", "The", "Sting", "won", ".")


def test_no_sentence_begins_with_a_mention_written_small() -> None:
    assert _finished("He saw the Alps .", "2 3 0 1 4", ((2, 4),)) is None
    assert _finished("He saw iPhones today .", "2 0 1 3 4") is None


def test_a_sentence_without_capital_stays_so() -> None:
    assert _finished("he saw the Alps", "2 3 0 1", ((2, 4),)) == "the Alps he saw"


def test_the_second_sentence_of_a_row_has_its_own_capital() -> None:
    assert _finished("He ran . They hid today .", "0 1 2 5 3 4 6") == "He ran . Today they hid ."


def test_the_first_word_of_a_quotation_keeps_its_capital_inside_the_marks_only() -> None:
    quoted = "`` We lost , '' he said ."
    assert _finished(quoted, "5 6 , 0 1 2 7 4") == "He said , `` We lost . ''"
    assert _finished(quoted, "5 6 that 1 2 7") == "He said that we lost ."


def test_commas_are_tidied() -> None:
    assert _finished("A , b , c .", "1 0 1 3 2 1 5") == "A , b ."
    assert _finished("Go home , Sam", "3 , 0 1 2") == "Sam , go home"


def test_quotes_and_brackets_stay_balanced() -> None:
    assert _finished("`` Go '' ( now ) .", "2 1 0 6") is None
    assert _finished("`` Go '' ( now ) .", "0 1 2 3 4 6") is None
    assert _finished("Go '' .", "1 0 2") == "'' Go ."  # the original has the fault already


def test_a_shouted_sentence_stays_shouted() -> None:
    assert _finished("THE WIND FELL TODAY .", "was 3 0 1 2 4") == "WAS TODAY THE WIND FELL ."


def test_what_was_small_behind_a_full_stop_stays_small() -> None:
    assert _finished("I thought . . . maybe today .", "0 1 2 3 4 6 5 7") == "I thought . . . today maybe ."
    assert _finished('He wrote " Why ? " to me .', "6 7 0 1 2 3 4 5 8") == 'To me he wrote " Why ? " .'
    assert _finished('To me " Why ? " was said .', "2 3 4 5 6 7 0 1 8") == '" Why ? " was said to me .'

"""Link files: there and back, corrected by hand, and damaged in every way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given as examples
from hypothesis import strategies as st
from tests.knowledge.linked import corpus, sentence

from nerquake.core.errors import FormatError, InputError
from nerquake.core.linking import Link, LinkCandidate
from nerquake.core.span import Span
from nerquake.knowledge.link_deny import read_deny, without_denied
from nerquake.knowledge.links import Links, read_links

BERLIN = Link("s1", 0, 1, (LinkCandidate("Q64", "Berlin", 2.5), LinkCandidate("Q1", "", 0.5)), "Q64", "Berlin", "LOC")
DELHI = Link("s1", 3, 5, (), None, "नई दिल्ली", "LOC")
QUDS = Link("s2", 1, 2, (LinkCandidate("local:city/القدس", "القدس", 1.0),), "local:city/القدس", "القدس", "GPE")
LINKS = Links((BERLIN, DELHI, QUDS))


def write(path: Path, *lines: str | bytes) -> Path:
    path.write_bytes(b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines))
    return path


def saved(path: Path, links: Links) -> Path:
    path.write_text("".join(links.lines()), "utf-8")
    return path


def problems(path: Path) -> list[tuple[int, str]]:
    with pytest.raises(FormatError) as caught:
        read_links(path)
    for problem in caught.value.problems:
        assert str(problem) in str(caught.value)
    return [(problem.line, problem.message) for problem in caught.value.problems]


def test_a_line_is_what_the_contract_says(tmp_path: Path) -> None:
    first, second, _ = map(json.loads, LINKS.lines())
    assert first == {
        "sentence": "s1", "start": 0, "end": 1, "text": "Berlin", "type": "LOC",
        "candidates": [{"item": "Q64", "title": "Berlin", "score": 2.5}, {"item": "Q1", "title": "", "score": 0.5}],
        "accepted": "Q64",
    }  # fmt: skip
    assert second["accepted"] is None
    found = read_links(saved(tmp_path / "l", LINKS))
    assert found.links == LINKS.links
    assert found.item("s1", Span(0, 1, "LOC")) == "Q64"
    assert found.item("s1", Span(0, 2, "LOC")) is None
    assert found.item("s1", Span(3, 5, "LOC")) is None
    assert found.items == ("Q64", "local:city/القدس")
    assert (found.mentions, found.unlinked) == ({"LOC": 2, "GPE": 1}, {"LOC": 1})


def test_lines_of_the_contract_alone(tmp_path: Path) -> None:
    candidates = '[{"item": "Q1", "title": "x", "score": 1}]'
    line = f'{{"sentence": "s", "start": 0, "end": 2, "candidates": {candidates}, "accepted": "Q1"}}'
    (link,) = read_links(write(tmp_path / "l", line))
    assert link == Link("s", 0, 2, (LinkCandidate("Q1", "x", 1.0),), "Q1")


def test_a_hand_corrected_file(tmp_path: Path) -> None:
    path = saved(tmp_path / "l", LINKS)
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    records[0]["accepted"] = ""
    records[1]["accepted"] = " Q987 "
    records[2]["accepted"] = None
    # as editors on other systems leave it: a byte order mark, other line ends, an empty line, no end
    text = "\r\n\r\n".join(json.dumps(record) for record in records)
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert [link.accepted for link in read_links(path)] == [None, "Q987", None]


GOOD = '{"sentence": "s", "start": 0, "end": 1, "candidates": [], "accepted": null}'


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "no JSON"),
        ("[1]", "not a JSON object"),
        ("NaN", "not a JSON object"),
        ("[" * 100_000, "nested too deeply"),
        (GOOD.replace('"sentence": "s", ', ""), "sentence is missing"),
        (GOOD.replace('"s"', "3"), "sentence is missing or no text"),
        (GOOD.replace("0", '"0"'), "no token offsets"),
        (GOOD.replace("0", "true"), "no token offsets"),
        (GOOD.replace("0", "0.5"), "no token offsets"),
        (GOOD.replace("0", "-1"), "no token offsets"),
        (GOOD.replace("0", "1"), "no token offsets"),
        (GOOD.replace("[]", "null"), "candidates are no list"),
        (GOOD.replace("[]", "[1]"), "a candidate is no object"),
        (GOOD.replace("[]", '[{"title": "x"}]'), "a candidate has no item"),
        (GOOD.replace("[]", '[{"item": 64}]'), "item or title is no text"),
        (GOOD.replace("[]", '[{"item": "Q1", "score": "high"}]'), "score is no number"),
        (GOOD.replace("[]", '[{"item": "Q1", "score": NaN}]'), "score is no number"),
        (GOOD.replace(', "accepted": null', ""), "accepted is missing"),
        (GOOD.replace("null", "64"), "neither an id nor null"),
        (GOOD.replace("null", "false"), "neither an id nor null"),
        (GOOD.replace("null", '"q64"'), "begin with a capital Q"),
        (GOOD.replace("null", '"New York"'), "no id"),
        (GOOD.replace("null", r'"\ud800"'), "no id"),
        (GOOD.replace('"start"', '"end"'), "'end' stands twice"),
        (GOOD.replace("}", ', "text": 1}'), "text or type is no text"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, said: str) -> None:
    ((number, message),) = problems(write(tmp_path / "l", GOOD, line))
    assert number == 2
    assert said in message


def test_every_bad_line_is_listed(tmp_path: Path) -> None:
    lines = [GOOD if n % 2 else f"bad {n}" for n in range(60)]
    lines = [line.replace('"s"', f'"s{n}"') for n, line in enumerate(lines)]
    path = write(tmp_path / "l", *lines, GOOD.replace('"s"', '"s1"'), b"\xff{}", *["{}"] * 3)
    found = problems(path)
    assert [line for line, _ in found] == [*range(1, 61, 2), 61, 62, 63, 64, 65]
    assert "a link of this mention stands above already: 's1', 0 to 1" in found[-5][1]
    assert found[-4][1] == "byte 0xff is not UTF-8"


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file; `nerquake dictionary link` writes one"):
        read_links(tmp_path / "l")
    with pytest.raises(InputError, match="cannot be read"):
        read_links(tmp_path)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
CANDIDATES = st.builds(LinkCandidate, st.from_regex(r"Q[1-9][0-9]{0,5}", fullmatch=True), TEXTS,
                       st.floats(allow_nan=False, allow_infinity=False), st.just(""))  # fmt: skip


@st.composite
def some_links(draw: st.DrawFn) -> Links:
    places = draw(st.lists(st.tuples(TEXTS.filter(bool), st.integers(0, 9)), unique=True, max_size=4))
    return Links(tuple(
        Link(key, at, at + draw(st.integers(1, 3)), tuple(draw(st.lists(CANDIDATES, max_size=3))),
             draw(st.none() | st.from_regex(r"Q[1-9][0-9]{0,5}", fullmatch=True)), draw(TEXTS), draw(TEXTS))
        for key, at in places
    ))  # fmt: skip


@examples(some_links())
def test_there_and_back(tmp_path_factory: pytest.TempPathFactory, links: Links) -> None:
    path = saved(tmp_path_factory.mktemp("links") / "l", links)
    found = read_links(path)
    assert found.links == links.links
    assert list(found.lines()) == list(links.lines())


def test_links_are_checked_against_the_data_set() -> None:
    data = corpus(sentence("s1", "Berlin and then नई दिल्ली", ("Berlin", "LOC"), ("नई दिल्ली", "LOC")))
    assert Links((BERLIN, DELHI)).check(data) == ()
    assert Links((BERLIN, QUDS)).check(data) == (
        "1 mentions of data.conll have no line in the links", "1 lines of the links are about no mention of data.conll"
    )  # fmt: skip
    with pytest.raises(InputError, match=r"no line is about a mention of data\.conll"):
        Links((QUDS,), "l.jsonl").check(data)
    with pytest.raises(InputError, match=r"l.jsonl: sentence s1, tokens 0 to 1 are 'Berlin' there and 'Paris'"):
        Links((BERLIN,), "l.jsonl").check(corpus(sentence("s1", "Paris fell", ("Paris", "LOC"))))
    assert Links(()).check(corpus(sentence("s1", "no names"))) == ()


def test_denied_pairs_are_removed_and_counted(tmp_path: Path) -> None:
    deny = write(tmp_path / "deny", "# wrong", "berlin\tQ64", "", "local:city/القدس", "Rome\tQ64", "Paris\tQ64")
    denied = read_deny(str(deny))
    found, counts = without_denied(LINKS, denied)
    assert [link.accepted for link in found] == [None, None, None]
    assert [one.item for one in found.links[0].candidates] == ["Q1"]
    assert found.denied == 2
    assert {denied[pair]: n for pair, n in counts.items()} == {"berlin\tQ64": 1, "local:city/القدس": 1}


def test_a_denied_candidate_that_was_not_accepted_only_leaves_the_list(tmp_path: Path) -> None:
    found, counts = without_denied(LINKS, read_deny(str(write(tmp_path / "deny", "Q1"))))
    assert (found.links[0].accepted, len(found.links[0].candidates), counts, found.denied) == ("Q64", 1, {}, 0)


def test_a_hashtag_is_a_mention_and_no_comment(tmp_path: Path) -> None:
    lines = "# Berlin\tQ64\n#Paris\tQ90\n#a remark\twith a tab\n# Q1"
    assert list(read_deny(str(write(tmp_path / "deny", lines)))) == [("#paris", "Q90")]


def test_a_damaged_deny_list_lists_every_line(tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        read_deny(str(write(tmp_path / "deny", "Paris", "Q64\tParis", "a\tb\tc", "Rome\t", b"\xff", "Paris\tent1")))
    assert [problem.line for problem in caught.value.problems] == [1, 2, 3, 4, 5]

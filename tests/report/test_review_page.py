"""The review page without a browser: what stands in it, and that data cannot leave its place."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analyse.review.planted import case
from tests.report.page import Element, read_page

from nerquake.core.decisions import REASONS
from nerquake.core.span import Span
from nerquake.report.html import template_text
from nerquake.report.review import ReviewPage
from nerquake.report.review.page import KEYS, SAID, SCRIPTS, island, slots, wrapped

CASES = {f"s{n}~swap": case(f"s{n}", label=("PER", "LOC")[n % 2], fell=n < 2) for n in range(4)}
PAGE = ReviewPage(CASES, "f" * 64, ("m",), ("PER", "LOC"), "nerquake curate out --decisions {file} -o out-curated")


@pytest.fixture(scope="module")
def page() -> Element:
    return read_page(PAGE.render())


def data_of(page: Element) -> dict[str, object]:
    (found,) = (script for script in page.find("script") if script.attributes.get("type") == "application/json")
    made: dict[str, object] = json.loads(found.text)
    return made


def test_the_policy_is_first_and_lets_only_this_script_run(page: Element) -> None:
    first = next(child for child in page.one("head").children if isinstance(child, Element))
    assert first.attributes["http-equiv"] == "Content-Security-Policy"
    (script,) = (script for script in page.find("script") if "type" not in script.attributes)
    digest = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
    policy = first.attributes["content"].split("; ")
    assert f"script-src 'sha256-{digest}'" in policy
    assert {"default-src 'none'", "base-uri 'none'", "form-action 'none'"} <= set(policy)
    assert (
        "innerHTML" not in script.text and "insertAdjacent" not in script.text and "document.write" not in script.text
    )


def test_the_scripts_are_one_function_in_their_order(page: Element) -> None:
    (script,) = (script for script in page.find("script") if "type" not in script.attributes)
    places = [script.text.index(template_text(f"review/{name}").strip()) for name in SCRIPTS]
    assert places == sorted(places)
    start, end = '(function () {\n"use strict";\n', "}());\n"
    assert wrapped(["a\n", "b\n"]) == f"{start}a\nb\n{end}"
    assert script.text.rstrip().endswith(wrapped(template_text(f"review/{name}") for name in SCRIPTS).rstrip())


def test_the_same_items_give_the_same_bytes_and_a_hundred_stay_small() -> None:
    assert PAGE.render() == PAGE.render()
    many = replace(PAGE, items={f"s{n}~swap": case(f"s{n}") for n in range(100)})
    assert len(many.render().encode()) < 100_000


def test_items_say_what_changed_and_what_was_said() -> None:
    (item, *_) = data_of(read_page(PAGE.render()))["items"]  # type: ignore[misc]
    assert item == {
        "id": "s0~swap", "set": "swap", "original": ["Anna", "."], "attacked": ["Bert", "."], "gold": [[0, 1, "PER"]],
        "spans": [[0, 1, "PER"]], "from": [0], "gone": [], "old": [0], "new": [0],
        "said": [[[[0, 1, "PER"]], []]],
    }  # fmt: skip


def test_mentions_are_followed_and_models_that_were_not_run_are_null() -> None:
    one = replace(
        case("s"), original=("Anna", "Bonn", "."), original_spans=(Span(0, 1, "PER"), Span(1, 2, "LOC")),
        attacked=("Rome", "."), attacked_spans=(Span(0, 1, "LOC"),), mentions=(None, 0),
    )  # fmt: skip
    made = replace(PAGE, items={"s~swap": one}, models=("other", "m"))
    (item,) = data_of(read_page(made.render()))["items"]  # type: ignore[misc]
    assert item["from"] == [1] and item["gone"] == [0] and item["said"][0] is None


def test_every_reason_has_its_key_and_its_words(page: Element) -> None:
    assert REASONS == (
        "not grammatical", "label now wrong", "name impossible here", "meaning lost", "near duplicate", "other",
    )  # fmt: skip
    assert len(SAID) == len(REASONS) and SAID[1] == "label is now wrong"
    assert [row.text.strip() for row in page.find("kbd")][-len(KEYS) :] == [key for key, _ in KEYS]


def test_labels_have_eighteen_looks() -> None:
    looks = slots([f"L{n}" for n in range(20)])
    assert len(set(looks.values())) == 18 and looks["L0"] == "g1 solid" and looks["L17"] == "g6 dotted"
    assert "L18" not in looks


@given(st.text())
def test_no_text_ends_the_island(text: str) -> None:
    made = island({"text": text, "hostile": "</script><!--<script>"})
    assert "<" not in made
    assert json.loads(made)["text"] == text
    made.encode("utf-8")


def test_half_a_surrogate_pair_is_escaped() -> None:
    assert json.loads(island({"text": "a\ud800b"})) == {"text": "a\ud800b"}

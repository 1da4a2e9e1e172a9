import json
import re
from urllib.parse import parse_qsl

import pytest
from tests.report.example import example
from tests.report.page import read_page

from nerquake.core.results import AuditResult
from nerquake.report.explorer import (
    PLACEHOLDER,
    PLACEHOLDER_REDACTED,
    SCRIPTS,
    explorer,
    script_hash,
    with_size,
    wrapped,
)
from nerquake.report.html import HtmlReport, template_text
from nerquake.report.links import exactly, link
from nerquake.report.view import View


def test_the_scripts_are_one_function_in_their_order() -> None:
    script = wrapped(f"// {name}\n" for name in SCRIPTS)
    assert script.startswith('(function () {\n"use strict";\n// decode.js\n// state.js\n')
    assert script.endswith("// main.js\n}());\n")


def test_the_hash_is_what_a_browser_computes() -> None:
    # echo -n 'alert(1)' | openssl dgst -sha256 -binary | base64
    assert script_hash("alert(1)") == "bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI="


def test_a_page_says_its_own_size_in_bytes() -> None:
    html = HtmlReport().render(example())
    (size,) = re.findall(r'data-bytes="(\d+)"', html)
    assert int(size) == len(html.encode())
    assert with_size("no explorer: हिन्दी") == "no explorer: हिन्दी"


def test_without_cases_there_is_no_explorer_and_no_data() -> None:
    bare = AuditResult(example().data)
    assert explorer(View(bare), {}) is None
    html = HtmlReport().render(bare)
    page = read_page(html)
    assert not page.find(id="explorer") and not page.find("script", id="data") and not page.find("a", href="#kind")
    assert not [
        a for a in page.find("a") if "=" in a.attributes["href"].split(",")[0] and a.attributes["href"][0] == "#"
    ]


def test_labels_have_their_looks_and_a_redacted_report_says_what_can_be_searched() -> None:
    slots = {"<b>": "g1 solid", "\u202eX": "plain"}
    found = explorer(View(example()), slots)
    assert found is not None and found.slots.isascii() and json.loads(found.slots) == slots
    assert found.placeholder == PLACEHOLDER
    data = {**example().data, "header": {**example().data["header"], "redacted": True}}
    hidden = explorer(View(AuditResult(data, example().cases)), slots)
    assert hidden is not None and hidden.placeholder == PLACEHOLDER_REDACTED


@pytest.mark.parametrize("name", [*SCRIPTS, "old.js"])
def test_scripts_make_no_markup_of_text_and_load_nothing(name: str) -> None:
    text = template_text(f"explorer/{name}")
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|new Function|fetch\(|XMLHttp|import\(", text
    )
    assert "</script" not in text and "<!--" not in text


def test_a_link_holds_names_as_they_are_and_leaves_out_what_is_empty() -> None:
    names = {"set": "swap+mask", "model": "a&b=c %/हिन्दी", "label": "x\u202ey", "kind": "fell"}
    where = link(3, **names, part="", also="")
    assert where.isascii() and where.startswith("#set=swap%2Bmask&")
    assert dict(parse_qsl(where[1:])) == names
    assert link(0, **names) == ""
    assert link(set="\ud800") == "#set=%3F"


def test_exact_sets_are_json() -> None:
    assert json.loads(exactly(["a,b"], ["a,b", '"c"'])) == [["a,b"], ["a,b", '"c"']]

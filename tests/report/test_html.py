import base64
import copy
import csv
import gzip
import hashlib
import io
import json
import re
from dataclasses import replace
from typing import Any

import pytest
from tests.report.example import Names, example
from tests.report.page import Element, read_page

from nerquake.analyse.records import case_lines, read_cases
from nerquake.core.results import AuditResult
from nerquake.report import sentences, tables
from nerquake.report.html import HtmlReport
from nerquake.report.verdict import verdict
from nerquake.report.view import View

HOSTILE = Names(
    models=("<script>window.pwned=1</script>", '"><img src=x onerror=alert(1)>'),
    sets=("{{7*7}}", "a|b`c``d", "x\u202ey</style>"),
    labels=("<b>AT&T</b>", "L|`O`", "'\"ORG", "M\u202eI\u200bSC"),
    token="<b>AT&T</b>",
    note="</script><script>alert(2)</script> {% raw %} &amp;",
)


@pytest.fixture(scope="module")
def html() -> str:
    return HtmlReport().render(example())


@pytest.fixture(scope="module")
def page(html: str) -> Element:
    return read_page(html)


@pytest.fixture(scope="module")
def hostile() -> Element:
    return read_page(HtmlReport().render(example(HOSTILE, 60)))


def scripts_of(page: Element) -> list[str]:
    """What the browser runs: the other scripts hold data."""
    return [script.text for script in page.find("script") if "type" not in script.attributes]


def shape(page: Element) -> list[str]:
    """Tags of a page, without the marks that depend on the data."""
    return sorted({element.tag for element in page.find()})


def test_the_policy_is_first_in_the_head_and_forbids_the_network(page: Element) -> None:
    head = page.one("head")
    first = next(child for child in head.children if isinstance(child, Element))
    policy = first.attributes["content"]
    assert first.attributes["http-equiv"] == "Content-Security-Policy"
    for rule in ("default-src 'none'", "img-src data: blob:", "base-uri 'none'", "form-action 'none'"):
        assert rule in policy
    sums = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts_of(page))
    allowed = " ".join(f"'sha256-{one}'" for one in sums)
    assert f"script-src {allowed};" in policy


def test_it_starts_with_the_document_type(html: str) -> None:
    assert html.startswith("<!DOCTYPE html>\n<html")


def test_nothing_is_loaded_and_every_link_leads_into_the_page_or_holds_its_data(page: Element) -> None:
    ids = {element.attributes["id"] for element in page.find() if "id" in element.attributes}
    for element in page.find():
        assert not {"src", "srcset", "action", "data", "poster"} & element.attributes.keys()
        target = element.attributes.get("href", "#verdict")
        state = target.startswith("#kind=") or target.startswith("#model=")
        assert target.startswith("data:") or state or target.removeprefix("#") in ids
    assert not re.search(r"url\(|@import", page.one("style").text)


def test_ids_are_unique_and_labels_point_at_them(page: Element) -> None:
    ids = [element.attributes["id"] for element in page.find() if "id" in element.attributes]
    assert len(set(ids)) == len(ids)
    for element in page.find():
        for key in ("for", "aria-labelledby"):
            assert element.attributes.get(key, ids[0]) in ids


def test_the_title_and_the_card_hold_the_verdict(page: Element) -> None:
    found = verdict(View(example()))
    assert page.one("head").one("title").text == f"NER robustness: {found.title}"
    card = page.one(class_="card")
    assert found.finding in card.attributes["class"].split()
    shown = [paragraph.words for paragraph in card.find("p")]
    for sentence in found.sentences:
        assert str(sentence) in shown
    assert card.one(class_="headline").one("strong").text == found.title
    assert [item.words.removeprefix("⚠ ") for item in card.find("li")] == list(found.warnings)


def test_sections_stand_in_order_and_the_bar_links_them(page: Element) -> None:
    sections = [section.attributes["id"] for section in page.find("section")]
    assert sections == ["verdict", "scores", "models", "labels", "sets", "sentences", "method"]
    assert [a.attributes["href"][1:] for a in page.one("nav").find("a")] == sections


def test_one_model_has_no_section_of_models_and_method_says_so() -> None:
    data = copy.deepcopy(dict(example().data))
    data["taggers"] = data["taggers"][:1]
    data["results"] = [b for b in data["results"] if b["tagger"] == data["taggers"][0]["name"]]
    data["comparisons"] = []
    page = read_page(HtmlReport().render(AuditResult(data)))
    assert not page.find("section", id="models")
    assert "Not in this report: model comparisons (no second -t)," in page.one(id="method").words


@pytest.mark.parametrize(("scheme", "measure"), tables.SCORE_CHOICES)
def test_every_score_of_the_page_is_in_the_result(page: Element, scheme: Any, measure: Any) -> None:
    table = page.one("table", class_=f"scores-{scheme}-{measure}")
    heads = [head.words for head in table.one("thead").find("th")]
    for row in table.one("tbody").find("tr"):
        cells = [child for child in row.children if isinstance(child, Element)]
        for head, cell in zip(heads[1:], cells[1:], strict=True):
            block = next(
                b for b in example().data["results"] if (b["tagger"], b["set"]) == (cells[0].words, head)
            )  # fmt: skip
            value = block["overall"][scheme][measure]
            assert "".join(c for c in cell.children if isinstance(c, str)).strip() == f"{100 * value:.1f}"


def test_the_switch_has_a_rule_for_each_of_its_panels(page: Element) -> None:
    style = page.one("style").text
    panels = page.find(class_="panel")
    assert len(panels) == 12
    for scheme, measure in tables.SCORE_CHOICES:
        assert f"#scheme-{scheme}:checked ~ #measure-{measure}:checked ~ .panels .{scheme}.{measure}" in style
        assert page.one("input", id=f"scheme-{scheme}") and page.one("input", id=f"measure-{measure}")
    assert [i.attributes["id"] for i in page.find("input") if "checked" in i.attributes] == [
        "scheme-strict",
        "measure-f1",
    ]


def test_tables_are_accessible(page: Element) -> None:
    for table in page.find("table"):
        assert table.one("caption").words
        for head in table.find("th"):
            assert head.attributes["scope"] in ("col", "row", "rowgroup")
        box = table.parent
        assert box is not None
        assert box.attributes["tabindex"] == "0"
        assert box.attributes["role"] == "region"
        assert "aria-label" in box.attributes or "aria-labelledby" in box.attributes


def test_downloads_hold_the_table_they_stand_at(page: Element) -> None:
    (packed,) = page.find("script", type="application/gzip+base64", id="tables")
    tables = json.loads(gzip.decompress(base64.b64decode(packed.text)))
    buttons = page.find("button", type="button", data_form="csv")
    assert [int(button.attributes["data-table"]) for button in buttons] == list(range(len(tables)))
    assert all("hidden" in button.attributes for button in buttons), "without scripts they would do nothing"
    for button, table in zip(buttons, tables, strict=True):
        box = button.parent.parent.parent  # type: ignore[union-attr]
        heads = [head.words for head in box.one("table").one("thead").find("th")]  # type: ignore[union-attr]
        first = next(csv.reader(io.StringIO(table["csv"])))
        assert [head for head in first if not head.endswith(" (below)")][-len(heads) :] == heads
        assert table["tex"].count(r"\begin{tabular}") == 1
        assert table["name"] in box.one("table").attributes["class"].split()  # type: ignore[union-attr]
    (paired,) = (table["csv"] for table in tables if table["name"] == "paired")
    assert paired.startswith("Group,Set,Sentences,Original,Attacked,Change")


def test_a_token_with_markup_appears_as_text_escaped_once() -> None:
    # case 19
    html = HtmlReport().render(example(Names(token="<b>AT&T</b>"), 60))
    assert "&lt;b&gt;AT&amp;T&lt;/b&gt;" in html
    assert "<b>AT&T" not in html
    assert "&amp;amp;" not in html
    assert "&amp;lt;" not in html


def test_hostile_text_makes_no_element_and_no_script(page: Element, hostile: Element) -> None:
    assert shape(hostile) == shape(page)
    assert len(hostile.find("script")) == 4 and len(hostile.find("style")) == 1
    assert scripts_of(hostile) == scripts_of(page)
    for element in hostile.find():
        assert not [name for name in element.attributes if name.startswith("on")]


def test_hostile_names_labels_and_tokens_are_all_there_as_text(hostile: Element) -> None:
    text = hostile.one("body").text
    for name in (*HOSTILE.models, *HOSTILE.sets[:2], *HOSTILE.labels[:3], HOSTILE.token, HOSTILE.note):
        assert name in text
    assert "x‹U+202E›y</style>" in text
    assert "M‹U+202E›I‹U+200B›SC" in text
    assert "49" not in hostile.one("head").one("title").text


def test_no_invisible_character_is_left_in_the_page() -> None:
    html = HtmlReport().render(example(replace(HOSTILE, token="a\u202eb\ud800\u2028"), 60))
    assert not re.search("[\u200b\u202a-\u202e\u2066-\u2069\u2028\ud800-\udfff\x00-\x08]", html)
    token = read_page(html).find(class_="hidden-char")
    assert {element.text for element in token} >= {"U+202E", "U+D800", "U+2028"}


def test_the_same_result_gives_the_same_bytes_also_when_read_back() -> None:
    result = example()
    again = AuditResult(json.loads(json.dumps(result.data)), read_cases(case_lines(result.cases)))
    first = HtmlReport().render(result).encode("utf-8")
    assert HtmlReport().render(result).encode("utf-8") == first
    assert HtmlReport().render(again).encode("utf-8") == first


def test_no_time_of_day_and_no_date_stands_in_it(page: Element) -> None:
    assert not re.search(r"\d{4}-\d\d-\d\d|\b\d{1,2}:\d\d\b", page.one("body").text)


def test_undefined_figures_are_shown_with_a_title_and_a_footnote() -> None:
    data = copy.deepcopy(dict(example().data))
    for block in data["results"]:
        if block["set"] == "swap":
            block["overall"]["strict"] |= {"f1": None, "low": None, "high": None, "possible": 0, "actual": 0}
            block["paired"] |= dict.fromkeys(
                ("original", "attacked", "drop", "low", "high", "relative_drop", "p", "p_holm")
            )
    page = read_page(HtmlReport().render(AuditResult(data)))
    cell = next(c for c in page.one("table", class_="scores-strict-f1").find("td") if c.words.startswith("n/e"))
    assert cell.attributes["title"] == "no mention, neither gold nor predicted"
    assert any(note.words == tables.NOTE_UNDEFINED for note in page.find(class_="note"))
    assert "None" not in page.one("body").text
    assert "nan" not in page.one("body").text.lower().split()


def test_sentences_show_both_texts_with_mentions_and_what_models_said(page: Element) -> None:
    case = next(c for c in example().cases if any(c.fell.values()))
    shown = page.one(id="sentences").find(class_="case")[0]
    original, attacked = (side.one("p") for side in shown.one(class_="sides").find("div"))
    assert [mark.one(class_="label").text for mark in original.find("mark")] == [s.label for s in case.original_spans]
    words = attacked.words
    for mark in attacked.find("mark"):
        words = words.replace(mark.words, " ".join(mark.words.split()[:-1]), 1)
    assert words == " ".join(case.attacked)
    changed = {token for edit in case.edits for token in edit["new"]}
    assert {u.text for u in attacked.find("u")} == changed
    assert len(shown.one("table").one("tbody").find("tr")) >= len(case.original_spans)


def test_without_scripts_at_most_ten_sentences_a_set_and_the_rest_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sentences.SHOWN == 10
    monkeypatch.setattr("nerquake.report.html.SHOWN", 5)
    page = read_page(HtmlReport().render(example()))
    total = example().data["findings"]["sentences"]["fell"]["swap"]
    block = page.one(id="sentences").find("details", class_="cases")[0]
    assert len(block.find("article")) == 5
    assert block.one(class_="more").words == f"{total - 5} more stand in cases.jsonl beside this report."


def test_without_cases_the_counts_still_stand() -> None:
    page = read_page(HtmlReport().render(AuditResult(example().data)))
    total = example().data["findings"]["sentences"]["fell"]["swap"]
    assert f"{total} more stand in cases.jsonl beside this report." in page.one(id="sentences").words


def test_a_set_where_nothing_fell_says_so() -> None:
    data = copy.deepcopy(dict(example().data))
    data["findings"]["sentences"]["fell"]["swap"] = 0
    page = read_page(HtmlReport().render(AuditResult(data)))
    assert "No mention fell under swap." in page.one(id="sentences").words


def test_an_audit_without_attacks_or_findings_is_still_a_page() -> None:
    data = copy.deepcopy(dict(example().data))
    data["sets"] = data["sets"][:1]
    data["results"] = [block for block in data["results"] if block["set"] == "original"]
    data["comparisons"] = []
    del data["findings"]
    page = read_page(HtmlReport().render(AuditResult(data)))
    assert page.one("head").one("title").text == "NER robustness: No attack was run"
    assert [section.attributes["id"] for section in page.find("section")] == ["verdict", "scores", "method"]


def test_method_says_how_to_make_it_again(page: Element) -> None:
    method = page.one(id="method").words
    header = example().data["header"]
    for text in (header["signature"], header["inputs"][0]["sha256"], "nerquake audit example.conll", "PERSON = PER"):
        assert text in method
    assert "DATE = 12" in method
    assert "swap:types=PER|LOC" in method


def test_labels_have_different_looks_and_their_text_can_be_read() -> None:
    names = [f"L{number:02d}" for number in range(19)]
    data = copy.deepcopy(dict(example().data))
    row = data["results"][0]["per_type"]["PER"]
    data["results"][0]["per_type"] = {name: {**row, "gold": 100 - place} for place, name in enumerate(names)}
    from nerquake.report.html import _slots

    slots = _slots([name for name in View(AuditResult(data)).labels if name in names])
    assert len({slots[name] for name in names[:18]}) == 18
    assert (slots["L00"], slots["L06"], slots["L18"]) == ("g1 solid", "g1 dashed", "plain")


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_text_has_enough_contrast_in_both_themes(page: Element) -> None:
    blocks = re.findall(r"--paper:[^}]*", page.one("style").text)
    themes = [dict(re.findall(r"--(\w+): ?(#[0-9a-f]{3,6})\b", block)) for block in blocks]
    assert len(themes) == 4
    for theme in themes:
        paper = {"#fff": "#ffffff"}.get(theme["paper"], theme["paper"])
        for ground in (paper, theme["card"]):
            for ink in ("ink", "muted", "held", "fell"):
                assert contrast(theme[ink], ground) >= 4.5, (ink, ground)
        for slot in range(1, 7):
            assert contrast(theme["ink"], theme[f"g{slot}"]) >= 4.5
        for colour in ("fell", "held"):
            mixed = [
                int(theme[colour][at : at + 2], 16) * 0.45 + int(paper[at : at + 2], 16) * 0.55 for at in (1, 3, 5)
            ]
            heat = "#" + "".join(f"{round(part):02x}" for part in mixed)
            assert contrast(theme["ink"], heat) >= 4.5, (colour, heat)

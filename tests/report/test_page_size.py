"""What would make a page large without telling more: tables that say the same, long links, white space in tables."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

from tests.analyse.plain_material import material, record, under
from tests.report.example import Names, example
from tests.report.explained import explained, view_of

from nerquake.report import parts
from nerquake.report.confusion_tables import confusion_table, originals
from nerquake.report.html import HtmlReport, environment_of_pages
from nerquake.report.links import link

BOTH = ("swap", "mask")
GOLD = [(3, 4, "PER")]
SAME = under(GOLD, {"m": GOLD})
OTHER = under(GOLD, {"m": []})


def test_original_text_is_shown_once_for_sets_of_the_same_sentences() -> None:
    view = view_of(material([record(GOLD, {"m": GOLD}, {"swap": SAME, "mask": OTHER})], BOTH))
    assert originals(view, "m") == (("swap", "mask"),)
    table = confusion_table(view, "m", "swap", "original", ("swap", "mask"))
    assert [row.group for row in table.rows if row.group] == ["swap, mask"]
    shown = [table.name for part in parts.errors(view) for table in part.folded]
    assert (shown.count("confusion-original"), shown.count("confusion-attacked")) == (1, 2)


def test_original_text_is_shown_for_each_set_that_keeps_others() -> None:
    records = [record(GOLD, {"m": GOLD}, {"swap": SAME, "mask": OTHER}), record(GOLD, {"m": []}, {"swap": SAME})]
    view = view_of(material(records, BOTH))
    assert originals(view, "m") == (("swap",), ("mask",))
    shown = [table.name for part in parts.errors(view) for table in part.folded]
    assert shown.count("confusion-original") == 2


def test_every_set_of_a_real_audit_is_in_one_of_the_groups() -> None:
    view, _ = explained()
    for tagger in view.taggers:
        groups = originals(view, tagger)
        assert sorted(name for group in groups for name in group) == sorted(view.sets)
        for group in groups:
            rows = {repr([[c.text for c in row.cells] for row in confusion_table(view, tagger, one, "original").rows])
                    for one in group}  # fmt: skip
            assert len(rows) == 1


class Links(HTMLParser):
    """The addresses of a page, as a browser reads them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if (tag, name) == ("a", "href")]


def test_an_address_is_short_and_means_what_it_says() -> None:
    names = {"model": "a&b<\"'> é", "set": "m+r", "label": "न", "now": "any", "part": "left", "text": "original"}
    address = link(1, kind="all", **names)
    printed = environment_of_pages().from_string('<a href="{{ one | address }}">1</a>').render(one=address)
    assert "&amp;" not in printed
    found = Links()
    found.feed(printed)
    assert found.found == [address]
    assert html.unescape(re.findall('href="([^"]*)"', printed)[0]) == address


def test_no_white_space_stands_between_cells() -> None:
    page = HtmlReport().render(example(Names(), 60))
    tables = re.findall(r'<table class="grid.*?</table>', page, re.DOTALL)
    assert tables
    for table in tables:
        assert not re.search(r"</t[dh]>\s+<t[dh]", table)

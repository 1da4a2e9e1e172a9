"""The island, read by decode.js in a browser under the page's policy, equals the cases that Python wrote."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

from tests.browser.opened import Opened
from tests.report.island import made, node
from tests.report.island.test_decode_js import Expected, expected_hits

from nerquake.report.island.encode import island

POLICY = "default-src 'none'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
Open = Callable[..., Opened]


def page(folder: Path, data: str) -> str:
    """A page with an island; returns its address."""
    script = files("nerquake.report").joinpath(node.DECODE).read_text("utf-8")
    parts = (
        f'<!DOCTYPE html><html><head><meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        f'<meta charset="utf-8"><title>i</title></head><body><script type="application/gzip+base64" id="data">{data}',
        f"</script><script>{script}</script><script>{node.EVERYTHING}",
        "const asked = decodeIsland(document.getElementById('data').textContent);</script></body></html>",
    )
    (folder / "island.html").write_text("".join(parts), "utf-8")
    return (folder / "island.html").as_uri()


def test_three_thousand_cases_are_told_in_the_page_as_they_are(opened: Open, tmp_path: Path) -> None:
    view = made.audit(1000, seed=2)
    address = page(tmp_path, island(view))
    found = opened(address)
    told = found.page.evaluate("asked.then(data => [data.header, everything(data)])")
    expected = Expected(view)
    assert told[0]["labels"] == expected.labels
    rows = expected.rows(told[0]["groups"])
    assert len(told[1]) == len(rows) == 1000
    for one, row in zip(told[1], rows, strict=True):
        assert _plain(one) == _plain(row)
    assert (found.asked, found.said) == ([address], [])


def _plain(value: object) -> object:
    """Half of a surrogate pair does not pass from the browser to Python; whether it is kept Node.js can tell."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return {key: _plain(one) for key, one in value.items()} if isinstance(value, dict) else value


def test_search_in_the_page_finds_what_python_finds(opened: Open, tmp_path: Path) -> None:
    view = made.audit(200, seed=6)
    found = opened(page(tmp_path, island(view)))
    for query in ("Berlin", "berl", "New York", "में राहुल", "inserted", "s00007"):
        hits = found.page.evaluate(
            "query => asked.then(data => [...data.search(query, 0)].flatMap((hit, i) => hit ? [i] : []))", query
        )
        assert hits == expected_hits(view, query, view.sets[0])


def test_damaged_data_say_what_is_wrong(opened: Open, tmp_path: Path) -> None:
    text = island(made.audit(20))
    damaged = (text[:-3], text[: len(text) // 8 * 4], text[:200] + text[204:], "§")
    said = [
        opened(page(tmp_path, one)).page.evaluate("asked.then(() => '', error => String(error))") for one in damaged
    ]
    assert said == [
        "Error: the text is not whole base64",
        "Error: the compressed data are damaged or cut short",
        "Error: the compressed data are damaged or cut short",
        "Error: the text is not whole base64",
    ]

"""What every request over HTTP shares: `Retry-After`, and answers that are no errors of the connection."""

from __future__ import annotations

import threading
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerquake.core.web import Late, TooLong, TryAgain, seconds_asked, send

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("0", 0.0), ("7", 7.0), (" 1.5 ", 1.5), ("3.", 3.0), (None, None), ("", None), ("soon", None), ("-5", None),
        ("nan", None), ("1e9", None), ("9999999999", None), ("٣", None), ("Wed, 99 Foo 2026", None),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
    ],
)  # fmt: skip
def test_retry_after(header: str | None, seconds: float | None) -> None:
    assert seconds_asked(header) == seconds


def test_retry_after_as_a_date() -> None:
    later = datetime.now(UTC) + timedelta(seconds=30)
    assert 25 < (seconds_asked(format_datetime(later, usegmt=True)) or 0) <= 30
    naive = format_datetime(later.replace(tzinfo=None))
    assert 25 < (seconds_asked(naive) or 0) <= 30, "without a zone it is taken as UTC"


@given(st.text(max_size=30))
def test_retry_after_may_be_anything(header: str) -> None:
    found = seconds_asked(header)
    assert found is None or found >= 0


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server that answers with the status in the address; /200/5 sends five bytes, /cut fewer than it says."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            _, what, *size = self.path.split("/")
            body = b"x" * int(size[0] if size else 3)
            if what == "slow":
                stop.wait(5)
            self.send_response(int(what) if what.isdecimal() else 200)
            self.send_header("Content-Length", str(len(body) + 9 * (what == "cut")))
            self.send_header("Location", "/200")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    monkeypatch.setenv("no_proxy", "*")
    stop = threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    stop.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("status", [200, 206, 301, 308, 400, 404, 429, 500, 503])
def test_a_status_is_no_exception_and_no_redirect_is_followed(url: str, status: int) -> None:
    found = send(urllib.request.Request(f"{url}/{status}/4"), 5.0, 100)
    assert (found.status, found.body, found.headers["Location"]) == (status, b"xxxx", "/200")


def test_answers_that_are_none(url: str) -> None:
    def get(path: str, timeout: float = 5.0) -> bytes:
        return send(urllib.request.Request(url + path), timeout, 10).body

    assert get("/200/10") == b"x" * 10
    with pytest.raises(TooLong):
        get("/200/11")
    assert get("/500/11") == b"", "of an error nothing, where it is too long"
    with pytest.raises(TryAgain, match="cut off: fewer bytes than announced"):
        get("/cut")
    with pytest.raises(Late, match=r"no whole answer within 0\.2 s"):
        get("/slow", 0.2)
    with pytest.raises(TryAgain, match="it cannot be reached") as caught:
        send(urllib.request.Request("http://127.0.0.1:9/"), 1.0, 10)
    assert not isinstance(caught.value, Late)

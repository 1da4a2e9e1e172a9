"""One request over HTTP: the whole answer, within its time, from the address that was named and no other."""

from __future__ import annotations

import http.client
import re
import time
import urllib.error
import urllib.request
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple


class TryAgain(Exception):
    """The server failed, or asks to wait `seconds`."""

    def __init__(self, message: str, seconds: float | None = None) -> None:
        self.seconds = seconds
        super().__init__(message)


class Late(TryAgain):
    """No whole answer came in time."""


class TooLong(Exception):
    """The answer has more bytes than any answer to the question."""


class Response(NamedTuple):
    """What a server sent, whatever its status.

    body   whole; of an error as much as could be read, or nothing
    """

    status: int
    headers: Any
    body: bytes


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirected request would carry a key to another address, or arrive there without its text."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """Follow none."""


def send(request: urllib.request.Request, timeout: float, longest: int, *, direct: bool = False) -> Response:
    """Send a request, and read what comes back. Statuses that say that something is wrong are no exceptions.

    timeout   seconds until the last byte
    longest   bytes
    direct    past any proxy

    Raises:
        TryAgain: the server cannot be reached, or the answer breaks off; `Late` where time is up.
        TooLong: the answer has more bytes than `longest`.
    """
    opener = urllib.request.build_opener(_NoRedirects, *([urllib.request.ProxyHandler({})] if direct else []))
    end = time.monotonic() + timeout
    late = f"no whole answer within {timeout:g} s"
    try:
        with opener.open(request, timeout=timeout) as response:
            return Response(response.status, response.headers, _read(response, end, longest))
    except urllib.error.HTTPError as error:
        with error:
            return Response(error.code, error.headers, _read_if_possible(error, end, longest))
    except TimeoutError:
        raise Late(late) from None
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise Late(late) from None
        raise TryAgain(f"it cannot be reached ({error.reason})") from None
    except http.client.IncompleteRead:
        raise TryAgain("the answer is cut off: fewer bytes than announced") from None
    except (OSError, http.client.HTTPException) as error:
        raise TryAgain(f"the connection broke ({type(error).__name__})") from None


def _read(response: Any, end: float, longest: int) -> bytes:
    """The whole body, before `end`: a server that sends a byte a second would otherwise hold us for ever."""
    pieces: list[bytes] = []
    size = 0
    while piece := response.read1(1 << 16):
        pieces.append(piece)
        size += len(piece)
        if time.monotonic() > end:
            raise TimeoutError
        if size > longest:
            raise TooLong
    if getattr(response, "length", None):  # read1 says nothing of bytes that were announced and did not come
        raise http.client.IncompleteRead(b"")
    return b"".join(pieces)


def _read_if_possible(error: urllib.error.HTTPError, end: float, longest: int) -> bytes:
    try:
        return _read(error, end, longest)
    except (OSError, http.client.HTTPException, TooLong):
        return b""


def seconds_asked(header: str | None) -> float | None:
    """`Retry-After` in seconds, from a number or a date; None where it is not given or not understood."""
    text = (header or "").strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]*)?", text):
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    return max(0.0, ((date if date.tzinfo else date.replace(tzinfo=UTC)) - datetime.now(UTC)).total_seconds())

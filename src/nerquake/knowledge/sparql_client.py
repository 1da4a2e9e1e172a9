"""One question to a SPARQL endpoint: whole answers only, waiting when asked to, and never without end."""

from __future__ import annotations

import http.client
import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

from nerquake.core.errors import InputError, ServerError

SHORTEST_WAIT = 1.0
"""Seconds before asking again, also where the server says 0: else a server that always says so is asked for ever."""
LONGEST = 1 << 26
"""Bytes of an answer; small queries have none that is longer."""
_ACCEPT = "application/sparql-results+json"
_TRACE = re.compile(rb"TimeoutException|QueryTimeout|java\.util\.concurrent|^\s*at [\w.$]+\([\w.]+:\d+\)", re.MULTILINE)
_CONTACT = re.compile(r"[^\s@<>()]+@[^\s@<>()]+\.[^\s@<>()]+|https?://[^\s<>()]+")

Row = Mapping[str, Mapping[str, str]]
"""A variable -> its `value`, its `type`, and `xml:lang` of a text."""


class _TryAgain(Exception):
    """The server failed or asks to wait `seconds`."""

    def __init__(self, message: str, seconds: float | None = None) -> None:
        self.seconds = seconds
        super().__init__(message)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirected question would arrive without its text."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """Follow none."""


def check_endpoint(url: str) -> None:
    """See that a text is the address of an endpoint.

    Raises:
        ValueError: it is not.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
        raise ValueError("expected the address of an endpoint, such as sparql:https://query.wikidata.org/sparql")


def check_agent(agent: str) -> None:
    """See that who asks can be reached: endpoints block those who cannot.

    Raises:
        ValueError: there is no mail address and no web page.
    """
    if not agent.strip():
        raise ValueError(
            "it needs agent=CONTACT, an e-mail address or a web page by which the endpoint's keepers can reach you, "
            "such as agent=me@example.org; it is sent with every query"
        )
    if not agent.isprintable() or not agent.isascii() or not _CONTACT.search(agent):
        raise ValueError(f"agent={agent!r} is no contact: expected an e-mail address or a web page, in ASCII")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where to ask, and how patiently.

    url       of the endpoint
    agent     the whole text that names the asker
    timeout   seconds for one answer
    retries   further tries of a query after failures and answers that are not whole
    patience  seconds to wait in all, for one query
    hint      what a message adds when it gives up
    sleep     waits; tests have their own
    """

    url: str
    agent: str
    timeout: float = 90.0
    retries: int = 4
    patience: float = 600.0
    hint: str = ""
    sleep: Callable[[float], object] = field(default=time.sleep, repr=False, compare=False)

    def ask(self, query: str) -> bytes:
        """The body of a whole answer.

        Raises:
            InputError: the answer is none of SPARQL.
            ServerError: the server refuses, cannot be reached, or keeps failing.
        """
        failures, waited = 0, 0.0
        while True:
            try:
                body = self._once(query)
                rows_of(body, self.url)
                return body
            except _TryAgain as again:
                failures += 1
                seconds = max(again.seconds if again.seconds is not None else 2.0 ** (failures - 1), SHORTEST_WAIT)
                if failures > self.retries:
                    raise self._gives_up(f"{again} ({failures} tries)") from None
                if waited + seconds > self.patience:
                    raise self._gives_up(
                        f"{again}; it would take {seconds:.0f} s more, {waited + seconds:.0f} s in all for one query, "
                        f"and patience={self.patience:g} allows no more"
                    ) from None
                waited += seconds
                self.sleep(seconds)

    def _gives_up(self, message: str) -> ServerError:
        return ServerError(f"sparql: {self.url}: {message}{'. ' if self.hint else ''}{self.hint}")

    def _once(self, query: str) -> bytes:
        headers = {
            "Accept": _ACCEPT,
            "User-Agent": self.agent,
            "Content-Type": "application/x-www-form-urlencoded; charset=utf-8",
        }
        request = urllib.request.Request(self.url, urlencode({"query": query}).encode(), headers, method="POST")
        end = time.monotonic() + self.timeout
        try:
            with urllib.request.build_opener(_NoRedirects).open(request, timeout=self.timeout) as response:
                if response.status != 200 or response.headers.get("X-SQL-State"):  # how Virtuoso says `a part of it`
                    raise _TryAgain(f"status {response.status}: the answer is a part only")
                return self._read(response, end)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refused(error) from None
        except TimeoutError:
            raise _TryAgain(f"no whole answer within {self.timeout:g} s") from None
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise _TryAgain(f"no whole answer within {self.timeout:g} s") from None
            raise _TryAgain(f"it cannot be reached ({error.reason})") from None
        except http.client.IncompleteRead:
            raise _TryAgain("the answer is cut off: fewer bytes than announced") from None
        except (OSError, http.client.HTTPException) as error:
            raise _TryAgain(f"the connection broke ({type(error).__name__})") from None

    def _read(self, response: Any, end: float) -> bytes:
        parts: list[bytes] = []
        size = 0
        while part := response.read1(1 << 16):
            parts.append(part)
            size += len(part)
            if size > LONGEST:
                raise InputError(f"sparql: {self.url}: an answer of more than {LONGEST:,} bytes: take a smaller page=")
            if time.monotonic() > end:
                raise _TryAgain(f"no whole answer within {self.timeout:g} s")
        if getattr(response, "length", None):  # read1 says nothing of bytes that were announced and did not come
            raise _TryAgain("the answer is cut off: fewer bytes than announced")
        return b"".join(parts)

    def _refused(self, error: urllib.error.HTTPError) -> Exception:
        """What a status other than 200 means."""
        try:
            said = error.read(1 << 16)
        except (OSError, http.client.HTTPException):
            said = b""
        if error.code == 429:
            return _TryAgain("status 429, too many requests", _seconds(error.headers.get("Retry-After")))
        if error.code == 503:
            return _TryAgain("status 503, not available", _seconds(error.headers.get("Retry-After")))
        if _TRACE.search(said):
            return _TryAgain(f"status {error.code}: the query ran past the server's time")
        if error.code >= 500 or error.code == 408:
            return _TryAgain(f"status {error.code}")
        hint = ""
        if 300 <= error.code < 400:
            hint = f"; it points to {error.headers.get('Location', 'another address')}: name that one"
        elif error.code == 403:
            hint = "; it may have blocked this agent or address"
        return self._gives_up(f"status {error.code}{hint}{_first_line(said)}")


def rows_of(body: bytes, url: str) -> list[Row]:
    """The rows of a whole answer.

    Raises:
        _TryAgain: it was cut off, by a time-out or on its way.
        InputError: it is no answer of SPARQL.
    """
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        if _TRACE.search(body):
            raise _TryAgain("the answer is cut off by a time-out: an error message stands in it") from None
        if body.lstrip()[:1] in (b"", b"{"):
            raise _TryAgain("the answer is cut off: it is no whole JSON") from None
        found = None
    try:
        rows: list[Row] = found["results"]["bindings"]
        if all(isinstance(term["value"], str) for row in rows for term in row.values()):
            return rows
    except (LookupError, TypeError, AttributeError):
        pass
    raise InputError(f"sparql: {url}: the answer is none of SPARQL{_first_line(body)}: is this an endpoint's address?")


def _first_line(body: bytes) -> str:
    """How a text begins, for a message."""
    line = re.sub(r"<[^>]*>|[^\x20-\x7e]+", " ", body[:400].decode("utf-8", "replace")).split()
    return f" ({' '.join(line)[:100]})" if line else ""


def _seconds(value: str | None) -> float | None:
    """The seconds that `Retry-After` asks for, as a number or a date; None where it says nothing."""
    text = (value or "").strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]*)?", text):
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    return max(0.0, ((date if date.tzinfo else date.replace(tzinfo=UTC)) - datetime.now(UTC)).total_seconds())

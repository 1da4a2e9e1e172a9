"""One question to a SPARQL endpoint: whole answers only, waiting when asked to, and never without end."""

from __future__ import annotations

import json
import re
import time
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

from nerquake.core.errors import InputError, ServerError
from nerquake.core.web import Response, TooLong, TryAgain, seconds_asked, send

SHORTEST_WAIT = 1.0
"""Seconds before asking again, also where the server says 0: else a server that always says so is asked for ever."""
LONGEST = 1 << 26
"""Bytes of an answer; small queries have none that is longer."""
_ACCEPT = "application/sparql-results+json"
_TRACE = re.compile(rb"TimeoutException|QueryTimeout|java\.util\.concurrent|^\s*at [\w.$]+\([\w.]+:\d+\)", re.MULTILINE)
_CONTACT = re.compile(r"[^\s@<>()]+@[^\s@<>()]+\.[^\s@<>()]+|https?://[^\s<>()]+")

Row = Mapping[str, Mapping[str, str]]
"""A variable -> its `value`, its `type`, and `xml:lang` of a text."""


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
            except TryAgain as again:
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
        try:
            response = send(request, self.timeout, LONGEST)
        except TooLong:
            raise InputError(
                f"sparql: {self.url}: an answer of more than {LONGEST:,} bytes: take a smaller page="
            ) from None
        if not 200 <= response.status < 300:
            raise self._refused(response)
        if response.status != 200 or response.headers.get("X-SQL-State"):  # how Virtuoso says `a part of it`
            raise TryAgain(f"status {response.status}: the answer is a part only")
        return response.body

    def _refused(self, response: Response) -> Exception:
        """What a status other than 200 means."""
        status, headers, said = response.status, response.headers, response.body[: 1 << 16]
        if status == 429:
            return TryAgain("status 429, too many requests", seconds_asked(headers.get("Retry-After")))
        if status == 503:
            return TryAgain("status 503, not available", seconds_asked(headers.get("Retry-After")))
        if _TRACE.search(said):
            return TryAgain(f"status {status}: the query ran past the server's time")
        if status >= 500 or status == 408:
            return TryAgain(f"status {status}")
        hint = ""
        if 300 <= status < 400:
            hint = f"; it points to {headers.get('Location', 'another address')}: name that one"
        elif status == 403:
            hint = "; it may have blocked this agent or address"
        return self._gives_up(f"status {status}{hint}{_first_line(said)}")


def rows_of(body: bytes, url: str) -> list[Row]:
    """The rows of a whole answer.

    Raises:
        TryAgain: it was cut off, by a time-out or on its way.
        InputError: it is no answer of SPARQL.
    """
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        if _TRACE.search(body):
            raise TryAgain("the answer is cut off by a time-out: an error message stands in it") from None
        if body.lstrip()[:1] in (b"", b"{"):
            raise TryAgain("the answer is cut off: it is no whole JSON") from None
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

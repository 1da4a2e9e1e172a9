"""One question to an OpenAI-compatible chat endpoint: time limits, waiting when asked to, and no word of the key."""

from __future__ import annotations

import html
import http.client
import json
import os
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from ipaddress import ip_address
from threading import Event
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from nerquake.core.errors import ServerError, UsageError

PATH = "/chat/completions"
LONGEST = 1 << 24
"""Bytes of an answer; more is no answer to this question."""
SHORTEST_WAIT = 0.2
"""Seconds before asking again, also where the server says 0: else a server that always says so is asked for ever."""
_SECRET = re.compile(r"key|token|secret|sig|pass|auth", re.IGNORECASE)
SHORTEST_KEY = 8
"""Characters. A shorter key may be a word, and taking it out of an answer would change the answer."""


class MalformedAnswer(Exception):
    """The server answered, but not with what was asked for."""


class _TryAgain(Exception):
    """The server failed, or asks to wait `seconds`."""

    def __init__(self, message: str, seconds: float | None = None) -> None:
        self.seconds = seconds
        super().__init__(message)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirected request would carry the key to another address."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """Follow none."""


def endpoint_of(url: str) -> str:
    """The address to ask, from what the user gives: the base such as https://host/v1, or the whole address.

    Raises:
        ValueError: it is no web address, or holds a secret, which would end up in every output.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("expected the address of a chat endpoint, such as llm:http://127.0.0.1:8000/v1,model=NAME")
    if parts.username or parts.password or any(_SECRET.search(name) for name, _ in parse_qsl(parts.query)):
        raise ValueError("the address holds a user name, password or key; keys are read from the environment: key-env=")
    path = parts.path.rstrip("/")
    return parts._replace(path=path if path.endswith(PATH) else path + PATH, fragment="").geturl()


def key_from(variable: str, endpoint: str) -> str:
    """The key in an environment variable, empty where there is none.

    Raises:
        UsageError: it cannot be sent in a header, would travel unencrypted, or is too short to be told from words.
            The message does not hold the key.
    """
    key = os.environ.get(variable, "").strip() if variable else ""
    if key and not re.fullmatch(r"[!-~]+", key):
        raise UsageError(f"the key in {variable} holds blanks, line ends or other characters that no key has")
    if key and len(key) < SHORTEST_KEY:
        raise UsageError(
            f"the key in {variable} has less than {SHORTEST_KEY} characters and cannot be told from words, so it could "
            "not be kept out of the output: use a longer one, or key-env= to send none"
        )
    parts = urlsplit(endpoint)
    if key and parts.scheme == "http" and not _here(endpoint):
        raise UsageError(
            f"the key in {variable} would travel unencrypted to {parts.hostname}: use https, or key-env= to send none"
        )
    return key


def _here(endpoint: str) -> bool:
    """Whether the address is this machine's own, so that what is sent leaves it nowhere, nor by a proxy."""
    host = urlsplit(endpoint).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class ChatEndpoint:
    """Where to ask, and how patiently.

    url       the whole address
    key       sent as a bearer token; empty: none
    key_env   the environment variable that it came from, for messages
    timeout   seconds for one answer
    retries   further tries after a failure of the server
    patience  seconds to wait in all, for one question, when the server asks to
    stop      set when the run is over, so that nobody goes on waiting
    """

    url: str
    key: str = field(default="", repr=False)
    key_env: str = ""
    timeout: float = 60.0
    retries: int = 2
    patience: float = 300.0
    stop: Event = field(default_factory=Event, repr=False, compare=False)

    def ask(self, body: Mapping[str, Any]) -> str:
        """The text of the answer.

        Raises:
            MalformedAnswer: the answer holds no text where the format has it.
            ServerError: the server refuses the question, cannot be reached, or keeps failing.
        """
        failures, waited = 0, 0.0
        while True:
            if self.stop.is_set():
                raise ServerError(f"{self._where()}: the run has ended")
            try:
                return self._scrubbed(_content(self._once(body)))
            except _TryAgain as again:
                failures += again.seconds is None
                seconds = 2.0 ** (failures - 1) if again.seconds is None else max(again.seconds, SHORTEST_WAIT)
                waited += seconds
                if failures > self.retries:
                    raise ServerError(f"{self._where()}: {again} ({failures} tries)") from None
                if waited > self.patience:
                    raise ServerError(
                        f"{self._where()}: {again}; it asks to wait {seconds:.0f} s, {waited:.0f} s in all, and "
                        f"patience={self.patience:g} allows no more. Later, or with concurrency=1, it may answer"
                    ) from None
                if self.stop.wait(seconds):
                    raise ServerError(f"{self._where()}: the run has ended") from None

    def _once(self, body: Mapping[str, Any]) -> bytes:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        request = urllib.request.Request(self.url, json.dumps(body).encode(), headers, method="POST")
        direct = [urllib.request.ProxyHandler({})] if _here(self.url) else []
        opener = urllib.request.build_opener(_NoRedirects, *direct)
        end = time.monotonic() + self.timeout
        try:
            with opener.open(request, timeout=self.timeout) as response:
                return _read(response, end)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refused(error, end) from None
        except TimeoutError:
            raise _TryAgain(f"no answer within {self.timeout:g} s") from None
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise _TryAgain(f"no answer within {self.timeout:g} s") from None
            raise _TryAgain(f"it cannot be reached ({self._scrubbed(str(error.reason))})") from None
        except (OSError, http.client.HTTPException) as error:
            raise _TryAgain(f"the connection broke ({self._scrubbed(type(error).__name__)})") from None

    def _refused(self, error: urllib.error.HTTPError, end: float) -> Exception:
        """What a status other than 200 means."""
        said = _message(error, end, self._scrubbed)
        status = f"status {error.code}{f' ({said})' if said else ''}"
        if error.code == 429 or (error.code == 503 and "Retry-After" in error.headers):
            return _TryAgain(f"{status}, too many requests", _seconds(error.headers.get("Retry-After")))
        if error.code >= 500 or error.code == 408:
            return _TryAgain(status)
        hint = ""
        if error.code in (401, 403):
            missing = f"{self.key_env or 'no variable'} holds no key" if not self.key else f"the key in {self.key_env}"
            hint = f"; it wants a valid key: {missing}"
        elif error.code == 404:
            hint = "; the address or the model's name may be wrong"
        elif 300 <= error.code < 400:
            hint = "; it points elsewhere, which is not followed: name that address"
        return ServerError(f"{self._where()}: {status}{hint}")

    def _where(self) -> str:
        return f"llm: {self.url}"

    def _scrubbed(self, text: str) -> str:
        """What the server says, without the key, should it repeat it. Before anything is cut short."""
        return _forms(self.key).sub("***", text) if self.key else text


@lru_cache(maxsize=4)
def _forms(key: str) -> re.Pattern[str]:
    """The key as it stands, and as JSON (also JSON within JSON), addresses and web pages may write it."""
    pieces = []
    for char in re.findall(r"\\+|.", key):
        code = f"{ord(char[0]):02x}"
        if char[0] == "\\":  # a run of them is one piece: who could say which of them escapes which?
            pieces.append(rf"(?:\\|u00{code}|%{code}|&\#(?:x0*{code}|0*{ord(char[0])});){{1,64}}+")
            continue
        forms = rf"\\{{0,8}}(?:{re.escape(char)}|u00{code})|%{code}|&\#(?:x0*{code}|0*{ord(char)});"
        named = html.escape(char)
        pieces.append(f"(?:{forms}{f'|{re.escape(named)}' if named != char else ''})")
    return re.compile("".join(pieces), re.IGNORECASE)


def _read(response: Any, end: float) -> bytes:
    """The whole body, before `end`: a server that sends a byte a second would otherwise hold us for ever."""
    pieces: list[bytes] = []
    size = 0
    while piece := response.read1(1 << 16):
        pieces.append(piece)
        size += len(piece)
        if time.monotonic() > end:
            raise TimeoutError
        if size > LONGEST:
            raise MalformedAnswer(f"more than {LONGEST:,} bytes")
    if getattr(response, "length", None):  # bytes of the announced length that never came
        raise http.client.IncompleteRead(b"")
    return b"".join(pieces)


def _message(error: urllib.error.HTTPError, end: float, scrubbed: Callable[[str], str]) -> str:
    """What the server says of an error, in one short line."""
    try:
        text = _read(error, end).decode("utf-8", "replace")
    except (OSError, http.client.HTTPException, MalformedAnswer):
        return ""
    try:
        found = json.loads(text)
        found = found.get("error", found)
        text = scrubbed(str(found.get("message", text) if isinstance(found, dict) else found))
    except (ValueError, AttributeError, RecursionError):
        text = re.sub(r"<[^>]*>", " ", scrubbed(text))
    return " ".join(text.split())[:300]


def _seconds(header: str | None) -> float | None:
    """`Retry-After` in seconds, from a number or a date; None where it is not given or not understood."""
    if header is None:
        return None
    if re.fullmatch(r"\s*\d+(\.\d+)?\s*", header):
        return float(header)
    try:
        when = parsedate_to_datetime(header)
    except ValueError:
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())


def _content(data: bytes) -> str:
    """The text of the first choice."""
    try:
        content = json.loads(data)["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise MalformedAnswer("it is not the JSON of a chat completion") from None
    if not isinstance(content, str) or not content.strip():
        raise MalformedAnswer("it holds no text")
    return content

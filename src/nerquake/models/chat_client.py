"""One question to an OpenAI-compatible chat endpoint: time limits, waiting when asked to, and no word of the key."""

from __future__ import annotations

import html
import json
import os
import re
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import ip_address
from threading import Event
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from nerquake.core.errors import ServerError, UsageError
from nerquake.core.web import Late, Response, TooLong, TryAgain, seconds_asked, send

PATH = "/chat/completions"
LONGEST = 1 << 24
"""Bytes of an answer; more is no answer to this question."""
SHORTEST_WAIT = 0.2
"""Seconds before asking again, also where the server says 0: else a server that always says so is asked for ever."""
_SECRET = re.compile(r"key|token|secret|sig|pass|auth", re.IGNORECASE)
_FILTERED = re.compile(rb"content_filter|content_policy_violation")
"""How servers say that they will not pass a question on: for that sentence only, so that the run goes on."""
SHORTEST_KEY = 8
"""Characters. A shorter key may be a word, and taking it out of an answer would change the answer."""


class MalformedAnswer(Exception):
    """The server answered, but not with what was asked for."""


class Refused(MalformedAnswer):
    """The model, or a filter in front of it, declines to answer this question."""


class TimedOut(ServerError):
    """No whole answer to this question came in time, however often it was asked."""


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
            MalformedAnswer: the answer holds no text where the format has it; `Refused` where it says that it will not.
            ServerError: the server refuses to be asked, cannot be reached, or keeps failing; `TimedOut` where it is
                slow with this question.
        """
        failures, waited = 0, 0.0
        while True:
            if self.stop.is_set():
                raise ServerError(f"{self._where()}: the run has ended")
            try:
                return _content(self._once(body), self._scrubbed)
            except TryAgain as again:
                said = self._scrubbed(str(again))
                failures += again.seconds is None
                seconds = 2.0 ** (failures - 1) if again.seconds is None else max(again.seconds, SHORTEST_WAIT)
                waited += seconds
                if failures > self.retries:
                    kind = TimedOut if isinstance(again, Late) else ServerError
                    raise kind(f"{self._where()}: {said} ({failures} tries)") from None
                if waited > self.patience:
                    raise ServerError(
                        f"{self._where()}: {said}; it asks to wait {seconds:.0f} s, {waited:.0f} s in all, and "
                        f"patience={self.patience:g} allows no more. Later, or with concurrency=1, it may answer"
                    ) from None
                if self.stop.wait(seconds):
                    raise ServerError(f"{self._where()}: the run has ended") from None

    def _once(self, body: Mapping[str, Any]) -> bytes:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        request = urllib.request.Request(self.url, json.dumps(body).encode(), headers, method="POST")
        try:
            response = send(request, self.timeout, LONGEST, direct=_here(self.url))
        except TooLong:
            raise MalformedAnswer(f"more than {LONGEST:,} bytes") from None
        if not 200 <= response.status < 300:
            raise self._refused(response)
        return response.body

    def _refused(self, response: Response) -> Exception:
        """What a status other than 200 means."""
        code, headers = response.status, response.headers
        said = _message(response.body, self._scrubbed)
        status = f"status {code}{f' ({said})' if said else ''}"
        if code == 429 or (code == 503 and "Retry-After" in headers):
            return TryAgain(f"{status}, too many requests", seconds_asked(headers.get("Retry-After")))
        if code >= 500 or code == 408:
            return TryAgain(status)
        if code == 400 and _FILTERED.search(response.body):
            return Refused(f"it refuses: {said}")
        hint = ""
        if code in (401, 403):
            missing = f"{self.key_env or 'no variable'} holds no key" if not self.key else f"the key in {self.key_env}"
            hint = f"; it wants a valid key: {missing}"
        elif code == 404:
            hint = "; the address or the model's name may be wrong"
        elif 300 <= code < 400:
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


def _message(body: bytes, scrubbed: Callable[[str], str]) -> str:
    """What the server says of an error, in one short line."""
    text = body.decode("utf-8", "replace")
    try:
        found = json.loads(text)
        found = found.get("error", found)
        text = scrubbed(str(found.get("message", text) if isinstance(found, dict) else found))
    except (ValueError, AttributeError, RecursionError):
        text = re.sub(r"<[^>]*>", " ", scrubbed(text))
    return " ".join(text.split())[:300]


def _content(data: bytes, scrubbed: Callable[[str], str]) -> str:
    """The text of the first choice."""
    try:
        choice = json.loads(data)["choices"][0]
        message = choice["message"]
        content = message.get("content")
        refusal, ended = message.get("refusal"), choice.get("finish_reason")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise MalformedAnswer("it is not the JSON of a chat completion") from None
    if isinstance(refusal, str) and refusal.strip():
        raise Refused(f"it refuses: {' '.join(scrubbed(refusal).split())[:300]}")
    if ended == "content_filter":
        raise Refused("it refuses: its content filter stopped it")
    if not isinstance(content, str) or not content.strip():
        raise MalformedAnswer("it holds no text")
    return scrubbed(content)

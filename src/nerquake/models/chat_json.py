"""JSON in what a language model says: words around it, a code fence or a line of thought do no harm."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from nerquake.models.chat_client import MalformedAnswer

SHOWN = 60
TRIES = 1000
"""Brackets that open nothing, after which no more are tried: each may be followed by as many that must be read."""


def without_thought(content: str) -> str:
    """What follows a model's thought.

    Raises:
        MalformedAnswer: the thought has no end, and nothing stands before it.
    """
    text, unclosed, _ = content.rpartition("</think>")[2].partition("<think>")
    if unclosed and not text.strip():
        raise MalformedAnswer("its thought has no end, and no answer follows")
    return text


def json_values(text: str) -> Iterator[Any]:
    """The objects and lists of JSON in a text, in order; those within others are parts of these.

    What is nested deeper than Python reads ends the search, and so do a thousand brackets that open nothing.
    """
    decoder = json.JSONDecoder()
    at = tries = 0
    while at < len(text) and tries < TRIES:
        if text[at] not in "{[":
            at += 1
            continue
        try:
            value, at = decoder.raw_decode(text, at)
        except RecursionError:
            return
        except ValueError:
            at += 1
            tries += 1
            continue
        yield value


def short(text: str) -> str:
    """The beginning of a text in one line, for a message."""
    line = " ".join(text.split())
    return repr(line if len(line) <= SHOWN else line[:SHOWN] + "…")

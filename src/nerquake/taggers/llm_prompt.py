"""What a language model is asked, and reading what it answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeGuard

from nerquake.models.chat_client import MalformedAnswer
from nerquake.models.chat_json import json_values, short, without_thought
from nerquake.taggers.changed_text import Name

TASK = (
    "You mark named entities in a sentence. The labels are: {labels}.\n"
    "Answer with one JSON object and nothing else, in this form:\n"
    '{{"mentions": [{{"text": "words of the sentence", "label": "one of the labels"}}]}}\n'
    "List the mentions in the order in which they stand in the sentence; a name that stands there twice is listed "
    "twice. Copy the text of a mention exactly as it is written. Mentions do not overlap. Where there is none, answer "
    '{{"mentions": []}}.'
)
AGAIN = "That answer could not be read. Answer with the JSON object alone."


def messages(tokens: Sequence[str], labels: Sequence[str], again: bool = False) -> list[dict[str, str]]:
    """The messages of a question; `again` after an answer that could not be read."""
    asked = [
        {"role": "system", "content": TASK.format(labels=", ".join(labels))},
        {"role": "user", "content": " ".join(tokens)},
    ]
    return [*asked, {"role": "user", "content": AGAIN}] if again else asked


def read_answer(content: str) -> list[Name]:
    """The mentions in an answer, in its order. Words around the JSON, a code fence or a line of thought do no harm.

    Raises:
        MalformedAnswer: it holds no such JSON, or a mention without text or label.
    """
    text = without_thought(content)
    found = _first(text)
    if found is None:
        raise MalformedAnswer(f"no list of mentions in {short(text)}")
    return [_name(entry) for entry in found]


def _first(text: str) -> list[Any] | None:
    """The first list of mentions in a text: that of an object, or else a bare one.

    An empty bare one may be words, such as a box to tick: it is no answer beside an object that cannot be read.
    """
    bare: list[Any] | None = None
    for found in json_values(text):
        wrapped = isinstance(found, list) and len(found) == 1 and isinstance(found[0], dict) and "mentions" in found[0]
        value = found[0] if wrapped else found
        within = value.get("mentions") if isinstance(value, dict) else None
        if _holds_mentions(within):
            return within
        bare = value if not bare and _holds_mentions(value) else bare
    return bare if bare or "{" not in text else None


def _holds_mentions(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list) and all(isinstance(entry, dict) for entry in value)


def _name(entry: dict[str, Any]) -> Name:
    text, label = entry.get("text"), entry.get("label")
    if not isinstance(text, str) or not isinstance(label, str):
        what = short(json.dumps(entry, ensure_ascii=False))
        raise MalformedAnswer(f"a mention needs a text and a label, not {what}")
    return Name(text, label)

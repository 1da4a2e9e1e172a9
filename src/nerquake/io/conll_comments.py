"""Comment lines of CoNLL files: ids, documents, the sentence's text, and what else they say.

```
# id s1<TAB>domain=news         MultiCoNER: id and what is known of the sentence
# sent_id = s1                  CoNLL-U, CoNLL-U Plus, Universal NER
# text = The sentence's text.   gives the blanks after tokens
# newdoc id = d1                a document begins (also `# newdoc`, and any key that ends in `document_id`)
# key = value                   anything else
```
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from nerquake.io.conll_lines import BLANKS

SOURCE_KEY = "source-id"
"""The key under which the id line names the sentence that this one was made from."""
_ID = re.compile(r"(#[ \t]*(?:sent_id|sent-id|id)(?:[ \t]*[=:][ \t]*|[ \t]+))([^\t]*?)([ \t\r]*(?:\t.*)?)", re.DOTALL)
_TEXT = re.compile(r"# ?text ?= ?(.*)", re.DOTALL)
_DOCUMENT = re.compile(r"#[ \t]*(?:newdoc(?:[ _]id)?|[\w.:-]*document_id)(?:[ \t]*=[ \t]*(.*?))?[ \t\r]*", re.DOTALL)
_PAIR = re.compile(r"#[ \t]*([^\s=](?:[^=\t]*[^\s=])?)[ \t]*=[ \t]*(.*?)[ \t\r]*", re.DOTALL)
_AS_TOKENS = re.compile(
    r"# ?(?:id (?:[^ ]*[0-9][^ ]*|[a-fA-F-]{6,})(?: |$)|(?:sent_id|text|newdoc|newdoc id|newpar) ?=)"
)
Pairs = tuple[tuple[str, str], ...]


class Comments(NamedTuple):
    """What the comment lines in front of a sentence say; None is "nothing"."""

    id: str | None = None
    meta: Pairs = ()
    text: str | None = None
    source: str | None = None


def read_comments(lines: Iterable[str]) -> Comments:
    """Read the comment lines among these; document lines are `document_of`'s."""
    found_id = text = source = None
    meta: list[tuple[str, str]] = []
    for line in lines:
        if not line.startswith("#"):
            continue
        if (match := _ID.fullmatch(line)) is not None and match[2]:
            found_id = match[2]
            for field in match[3].split("\t"):
                key, equals, value = field.partition("=")
                if key == SOURCE_KEY and equals:
                    source = value
                elif equals:
                    meta.append((key, value))
        elif (match := _TEXT.fullmatch(line)) is not None:
            text = match[1]
        elif _DOCUMENT.fullmatch(line) is None and (match := _PAIR.fullmatch(line)) is not None:
            meta.append((match[1], match[2]))
    return Comments(found_id, tuple(meta), text, source)


def is_id_line(line: str) -> bool:
    """Whether a comment line gives a sentence's id, so that a sentence begins there."""
    match = _ID.fullmatch(line)
    return match is not None and bool(match[2])


def is_text_line(line: str) -> bool:
    """Whether a comment line gives the sentence's text."""
    return _TEXT.fullmatch(line) is not None


def document_of(line: str) -> tuple[str | None, bool] | None:
    """None for a line that begins no document; else the document's id and whether the line has a place for one."""
    match = _DOCUMENT.fullmatch(line) if line.startswith("#") else None
    return None if match is None else (match[1], match[1] is not None)


def with_id(line: str, new: str) -> str:
    """An id line with another id."""
    match = _ID.fullmatch(line)
    assert match is not None
    return match[1] + new + match[3]


def spaces_of(tokens: Sequence[str], text: str) -> tuple[bool, ...] | None:
    """Whether a blank follows each token, from the sentence's text; None where the text does not fit the tokens."""
    spaces: list[bool] = []
    at = 0
    for token in tokens:
        if not text.startswith(token, at):
            return None
        at += len(token)
        blank = text.startswith(" ", at)
        spaces.append(blank)
        at += blank
    return tuple(spaces) if at == len(text) else None


def looks_like_comment(tokens: Sequence[str]) -> bool:
    """Whether a sentence begins with a comment line that someone's script took for tokens."""
    return tokens[0].startswith("#") and _AS_TOKENS.match(" ".join(tokens[:3]).strip(BLANKS)) is not None

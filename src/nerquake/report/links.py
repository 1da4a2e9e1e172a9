"""Addresses within the page: from a number in a table to the sentences behind it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from urllib.parse import quote, urlencode


def link(number: float = 1, /, **filters: str) -> str:
    """What opens the explorer with these filters: names, never indexes; empty where there is nothing to open.

    number   what the link stands on: nothing is behind a zero

    The filters are those of templates/explorer/state.js. Besides the ones with a control they are, of mentions:

    was, now   the outcome before and after: right, wrong, type, boundary, missed, any; the mention stands in both texts
    text       "original" or, where left out, the attacked one, for the next three
    met        the outcome in that text, whether or not the mention stands in the other one
    said       the label that it was taken for there
    d          its row of the error table there, such as "wrong 2", or "none"
    part       "replaced" or "left": whether the attack changed the mention's own tokens
    also       another set under which it fails too
    under      see `exactly`

    and of sentences:

    status     what the attack did: changed, unchanged, not-applicable, discarded
    """
    left = {key: value for key, value in filters.items() if value}
    return "#" + urlencode(left, quote_via=quote, safe="", errors="replace") if number else ""


def exactly(fails: Sequence[str], names: Sequence[str]) -> str:
    """The filter `under`: mentions that stand under all of these sets and fail under exactly some of them."""
    return json.dumps([list(fails), list(names)], ensure_ascii=False, separators=(",", ":"))

"""Parameters that stay as they are in training."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from nerquake.core.errors import SpecError


def freeze(model: Any, parts: Sequence[str]) -> None:
    """Parameters with one of these in their names are not trained.

    Raises:
        SpecError: no parameter has such a name; the message has near ones.
    """
    names = dict(model.named_parameters())
    for part in parts:
        found = [name for name in names if part in name]
        if not found:
            raise SpecError(f"freeze={part}: no parameter has that in its name; {_near(part, list(names))}")
        for name in found:
            names[name].requires_grad_(False)


def _near(part: str, names: Sequence[str]) -> str:
    """What a part of a name was meant to be, if anything is near, and what names begin with."""
    size = part.count(".") + 1
    pieces = {".".join(name.split(".")[at : at + size]) for name in names for at in range(name.count(".") + 2 - size)}
    near = get_close_matches(part, sorted(pieces), n=3)
    meant = f"did you mean {' or '.join(near)}? " if near else ""
    fronts = sorted({".".join(name.split(".")[:-1][:2]) for name in names})
    return f"{meant}names begin with {', '.join(fronts)}"

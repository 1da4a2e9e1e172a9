"""A Python function of the user's own as a recogniser: `callable:module:function`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import index
from pathlib import Path
from typing import Any, NoReturn

from nerquake.core.errors import PluginError, UsageError, guarded
from nerquake.core.options import positional
from nerquake.core.protocols import Tagging
from nerquake.core.scheme import IOB2, OUTSIDE, SCHEMES, Repair, is_tag
from nerquake.core.span import Span


@dataclass(frozen=True, slots=True)
class FunctionTagger:
    """Calls `function(sentences)`, where `sentences` is a list of lists of tokens.

    The function returns one answer a sentence: a tag for every token, or mentions as (start, end, label) with
    half-open token offsets. Modules are looked up in the working directory too.

    target   module:function
    scheme   the scheme of its tags
    repair   what becomes of ill-formed tags
    """

    target: str = positional()
    scheme: str = "iob2"
    repair: Repair = "conlleval"

    def __post_init__(self) -> None:
        if self.scheme not in SCHEMES:
            raise UsageError(f"callable: scheme={self.scheme} is none of {', '.join(SCHEMES)}")

    def labels(self) -> frozenset[str] | None:
        """What the function's attribute `labels` says, else unknown."""
        declared = getattr(_find(self.target), "labels", None)
        if declared is None:
            return None
        if isinstance(declared, str) or not all(isinstance(label, str) for label in declared):
            raise PluginError(f"{self.target}: its labels are a list of texts, got {declared!r}")
        return frozenset(declared)

    def predict(self, batch: Sequence[tuple[str, ...]]) -> list[Tagging]:
        """The function's answers, checked."""
        with guarded(f"callable:{self.target}"):
            answers = [_plain(answer) for answer in _find(self.target)([list(tokens) for tokens in batch])]
        if len(answers) != len(batch):
            raise PluginError(f"{self.target} gave {len(answers)} answers for {len(batch)} sentences")
        return [self._tagging(tokens, answer) for tokens, answer in zip(batch, answers, strict=True)]

    def _tagging(self, tokens: tuple[str, ...], answer: Sequence[Any]) -> Tagging:
        if answer and all(isinstance(item, str) for item in answer):
            tags = [str(item) for item in answer]
            self._check_tags(tokens, tags)
            scheme = SCHEMES.get(self.scheme, IOB2)
            wrong = scheme.violations(tags)
            if wrong and self.repair == "none":
                self._refuse(tokens, tags, wrong)
            return Tagging(scheme.decode(tags, self.repair), invalid=len(wrong))
        try:
            return Tagging(tuple(sorted(Span(index(start), index(end), _label(label)) for start, end, label in answer)))
        except (TypeError, ValueError) as error:
            expected = "expected one tag a token, or (start, end, label) triples"
            raise PluginError(f"{self.target}: {expected}, got {answer!r}") from error

    def _refuse(self, tokens: tuple[str, ...], tags: Sequence[str], wrong: Sequence[int]) -> NoReturn:
        places = [
            f"{tags[at]} at {tokens[at]!r}" if at < len(tags) else f"the end after {tags[-1]} at {tokens[-1]!r}"
            for at in wrong[:5]
        ]
        more = f" and {len(wrong) - 5} more" if len(wrong) > 5 else ""
        raise PluginError(
            f"{self.target}: ill-formed {self.scheme} tags, and repair is none: {', '.join(places)}{more}, in: "
            f"{' '.join(tokens)} (--repair conlleval|discard reads them)"
        )

    def _check_tags(self, tokens: tuple[str, ...], tags: Sequence[str]) -> None:
        if len(tags) != len(tokens):
            raise PluginError(f"{self.target} gave {len(tags)} tags for {len(tokens)} tokens: {' '.join(tokens)}")
        wrong = next((tag for tag in tags if tag != OUTSIDE and not is_tag(tag)), None)
        if wrong is not None:
            raise PluginError(f"{self.target}: {wrong!r} is no tag; expected O or a prefix and a label, such as B-PER")


def _label(value: Any) -> str:
    """A triple's label. Anything but a text, such as None, is no name of a type."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no label")
    return value


def _plain(answer: Any) -> list[Any]:
    """An answer as a list; arrays of numbers and texts, such as NumPy's, know how to become one."""
    return list(answer.tolist() if hasattr(answer, "tolist") else answer)


@lru_cache(maxsize=8)
def _find(target: str) -> Callable[[list[list[str]]], Sequence[Any]]:
    module, colon, name = target.partition(":")
    if not colon or not name:
        raise UsageError(f"callable:{target}: expected callable:module:function")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        found = getattr(importlib.import_module(module), name, None)
    except ModuleNotFoundError as error:
        raise UsageError(f"callable:{target}: no module {error.name!r} here or among installed packages") from error
    except Exception as error:  # whatever the user's module does when it is imported
        raise PluginError(f"callable:{target} cannot be loaded: {type(error).__name__}: {error}") from error
    if not callable(found):
        raise UsageError(f"callable:{target}: {module} has no function {name!r}")
    return found  # type: ignore[no-any-return]

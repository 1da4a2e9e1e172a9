"""Taggers from specifications."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, get_args

from nerquake.core.dataset import Dataset
from nerquake.core.errors import PluginError, UsageError
from nerquake.core.protocols import SetTagger, Tagger
from nerquake.core.scheme import Repair
from nerquake.core.spec import Spec, parse_spec, safe_name
from nerquake.core.tagging import Named
from nerquake.registry import TAGGERS, options_of
from nerquake.taggers.file import FileTagger
from nerquake.taggers.llm import LlmTagger


def build_taggers(
    texts: Sequence[str],
    gold: Dataset,
    repair: Repair = "conlleval",
    extension: str = "conll",
) -> list[Named]:
    """Taggers with the names that outputs use, checked before anything runs.

    Raises:
        UsageError: a specification is wrong, or two taggers have the same name.
    """
    built: list[Named] = []
    for text in texts:
        spec = parse_spec(text, TAGGERS.names())
        given = spec.get("name")
        tagger = TAGGERS.build(spec)
        if isinstance(tagger, FileTagger):
            tagger = replace(
                tagger,
                gold=gold.scheme.name if gold.scheme else "",
                gold_reader=gold.reader,
                extension=extension,
            )
        tagger = _repairing(tagger, spec, repair)
        if isinstance(tagger, LlmTagger) and not tagger.types:
            tagger = replace(tagger, types=tuple(gold.labels))
        if not isinstance(tagger, Tagger | SetTagger):
            raise PluginError(f"{text}: a tagger has the methods labels() and predict(batch)")
        built.append(Named(safe_name(given if isinstance(given, str) else text), text, tagger))
    names = [named.name for named in built]
    clash = next((name for name in names if names.count(name) > 1), None)
    if clash is not None:
        raise UsageError(f"two taggers are called {clash!r}: give one of them another name, with name=")
    return built


def _repairing(tagger: Any, spec: Spec, repair: Repair) -> Any:
    """The tagger with the run's repair, where it has such an option and its specification does not set it.

    A third party's `repair` that means something else, as its default shows, is left alone.
    """
    option = options_of(type(tagger)).get("repair")
    if option is None or spec.get("repair") is not None or option.default not in get_args(Repair):
        return tagger
    return replace(tagger, repair=repair)

"""Taggers from specifications."""

from __future__ import annotations

from collections.abc import Sequence

from nerquake.core.dataset import Dataset
from nerquake.core.errors import PluginError, UsageError
from nerquake.core.protocols import SetTagger, Tagger
from nerquake.core.scheme import Repair
from nerquake.core.spec import parse_spec, safe_name
from nerquake.core.tagging import Named, fitted
from nerquake.registry import TAGGERS


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
        tagger = fitted(TAGGERS.build(spec), spec, gold, repair, extension)
        if not isinstance(tagger, Tagger | SetTagger):
            raise PluginError(f"{text}: a tagger has the methods labels() and predict(batch)")
        built.append(Named(safe_name(given if isinstance(given, str) else text), text, tagger))
    names = [named.name for named in built]
    clash = next((name for name in names if names.count(name) > 1), None)
    if clash is not None:
        raise UsageError(f"two taggers are called {clash!r}: give one of them another name, with name=")
    return built

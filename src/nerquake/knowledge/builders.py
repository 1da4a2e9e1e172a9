"""Builders of dictionaries by name: `--from starter`, `--from import:DIR`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from nerquake.core.spec import parse_spec
from nerquake.knowledge.build import Builder
from nerquake.registry import BUILDERS


def builders_of(texts: Sequence[str]) -> list[Builder]:
    """The builders that specifications describe.

    Raises:
        UnknownName, SpecError: there is no such builder or option.
    """
    return [cast(Builder, BUILDERS.build(parse_spec(text, BUILDERS.names()))) for text in texts]

"""No plug-in without a contract."""

from __future__ import annotations

import pytest
from tests.contracts.cases import CASES

from nerquake.registry import REGISTRIES, Registry


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.kind)
def test_every_plug_in_has_a_case(registry: Registry) -> None:
    assert set(CASES[registry.kind]) == set(registry.builtins), "write a case in tests/contracts/cases.py"

"""Charts are drawn by the extra `charts`; without it these tests are skipped, unless it was promised."""

import importlib.util

import pytest
from tests.conftest import skip_or_fail


@pytest.fixture(autouse=True)
def charts_library() -> None:
    for module in ("altair", "vl_convert"):
        if importlib.util.find_spec(module) is None:
            skip_or_fail(f'{module} is not installed: pip install "nerquake[charts]"')

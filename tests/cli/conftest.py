"""Commands write many reports; what their charts look like is tested elsewhere."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module", autouse=True)
def _without_charts(uncharted: None) -> None:
    """See `uncharted`."""

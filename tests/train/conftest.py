"""What training tests share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    from tests.train.toy import encoder

    return encoder(tmp_path_factory.mktemp("encoder"))


@pytest.fixture(autouse=True)
def _random_state() -> Iterator[None]:
    """Training seeds torch's generator and asks for deterministic kernels; other tests are not to notice."""
    torch = pytest.importorskip("torch")
    state = torch.get_rng_state()
    yield
    torch.set_rng_state(state)
    torch.use_deterministic_algorithms(False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "model"

"""What training tests share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    from tests.train.toy import encoder

    return encoder(tmp_path_factory.mktemp("encoder"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "model"

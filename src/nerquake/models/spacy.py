"""spaCy pipelines, installed by name or saved in a folder: loading them, and finding those that are installed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from nerquake.core.errors import InputError, UnknownName
from nerquake.core.language import normalise
from nerquake.models.quiet import Version, digest_of, version_of

SIZES = ("sm", "md", "lg", "trf")
"""How spaCy's own pipelines name their sizes, small ones first."""


class Installed(NamedTuple):
    """What an installed pipeline says of itself: its name, its language and the components it runs."""

    name: str
    language: str
    components: tuple[str, ...]


def load_pipeline(pipeline: str, exclude: Sequence[str]) -> Any:
    """A pipeline without the components named, loaded once for as long as its files stay as they are.

    Raises:
        UnknownName: nothing of this name is installed, nor is it a folder.
        InputError: it is there and cannot be loaded.
    """
    return _load(pipeline, tuple(exclude), version_of(*_files(Path(pipeline))))


def fingerprint_of(nlp: Any) -> str:
    """A hash over the versions of spaCy and of a pipeline, and over its files."""
    import spacy

    folder = getattr(nlp, "path", None)
    files = _files(Path(folder)) if folder else []
    return digest_of(*files, start=f"{spacy.__version__} {nlp.meta['name']} {nlp.meta['version']}")


def installed_for(language: str) -> list[Installed]:
    """The installed pipelines of a language, small ones first, those of a size in the order of their names."""
    from spacy.util import get_installed_models

    found = [_told(name) for name in get_installed_models()]
    return sorted((one for one in found if one is not None and one.language == language), key=_order)


def _order(one: Installed) -> tuple[int, str]:
    parts = one.name.split("_")
    return next((at for at, size in enumerate(SIZES) if size in parts), len(SIZES)), one.name


def _told(name: str) -> Installed | None:
    """What an installed pipeline's own description says; None where there is none that can be read."""
    from spacy.util import get_package_path

    try:
        meta = json.loads((get_package_path(name) / "meta.json").read_text("utf-8"))
        return Installed(name, normalise(meta["lang"]), tuple(meta.get("pipeline", ())))
    except (ImportError, OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.is_file()) if folder.is_dir() else []


@lru_cache(maxsize=4)
def _load(pipeline: str, exclude: tuple[str, ...], version: Version) -> Any:
    import spacy
    from spacy.util import get_installed_models

    try:
        return spacy.load(pipeline, exclude=list(exclude))
    except OSError as error:
        if Path(pipeline).exists():
            raise InputError(f"spacy:{pipeline} is there but cannot be loaded: {error}") from error
        installed = sorted(get_installed_models())
        hint = "A folder with a saved pipeline works too." if installed else "pip install a pipeline, or name a folder."
        raise UnknownName("installed spaCy pipeline", pipeline, installed, hint) from error

"""Stanza's models on sentences that are tokenised already, offline: loading them, and finding what a folder holds."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from nerquake.core.errors import InputError, MissingExtra
from nerquake.models.quiet import Version, digest_of, quiet, version_of

RESOURCES = "resources.json"
LONGEST = 100
"""Characters of a token that a model is shown: Stanza makes every token of a batch as long as its longest."""
Processor = Literal["ner", "pos", "depparse"]
Part = Literal["ner", "pos", "lemma", "depparse"]
_NAMES: Mapping[Processor, str] = {"ner": "recogniser", "pos": "part-of-speech tagger", "depparse": "parser"}
_PARTS: Mapping[Processor, tuple[Part, ...]] = {
    "ner": ("ner",), "pos": ("pos",), "depparse": ("pos", "lemma", "depparse"),
}  # fmt: skip
"""What is loaded besides the tokens as they are. Never `mwt`: `im` stays one word."""
_BATCHED: tuple[Part, ...] = ("ner", "pos", "depparse")
"""Whose batches are set: a sentence's analysis depends on no other one where they are of one sentence."""
_READ = ("model", "pretrain", "forward_charlm", "backward_charlm")
"""The files that a part reads, as Stanza's settings call them."""
_IDENTITY = "identity"
"""The lemmas of a language that has no model for them: the words themselves, without a file."""


@dataclass(frozen=True, slots=True)
class StanzaModel:
    """What is to be loaded, and how.

    path       a folder as `stanza.download` makes it, or one saved model file
    language   as Stanza names it
    processor  which kind of model; a parser needs the folder's tagger and lemmas besides
    packages   which models of the folder, by name; none: the folder's default
    given      further files that a saved model file needs, such as (("pretrain", "vectors.pt"),)
    batch      sentences that Stanza takes at a time
    device     "auto", "cpu" or "cuda"
    option     what the option for the language is called, for messages
    """

    path: str
    language: str
    processor: Processor
    packages: tuple[str, ...] = ()
    given: tuple[tuple[str, str], ...] = ()
    batch: int = 32
    device: str = "auto"
    option: str = "lang"

    def pipeline(self) -> Any:
        """The pipeline, loaded once for as long as its files stay as they are.

        Raises:
            InputError: the folder, the language in it or a file is not what Stanza expects.
        """
        path = Path(self.path)
        inside = sorted(path.glob("*/*/*.pt")) if path.is_dir() else []
        given = [file for _, file in self.given]
        return _load(self, version_of(path / RESOURCES if path.is_dir() else path, *inside, *given))

    def fingerprint(self, more: str = "") -> str:
        """A hash over Stanza's version, the files that are read, and `more`."""
        return digest_of(*self._files(), start=f"stanza {version()} {more}")

    def _files(self) -> list[Path]:
        """What the models were made from: models, word vectors, character models."""
        config = self.pipeline().config
        named: list[Any] = []
        for part in _PARTS[self.processor]:
            named += [config.get(f"{part}_{key}_path") for key in _READ]
            named += [path for block in config.get(f"{part}_dependencies") or () for path in block.values()]
        flat = [path for entry in named if entry for path in (entry if isinstance(entry, list) else [entry])]
        return sorted({Path(path) for path in flat if Path(path).is_file()})


def version() -> str:
    """Stanza's version."""
    with quiet("stanza"):
        import stanza
    return str(stanza.__version__)


def own_folder() -> Path:
    """Where `stanza.download` puts models unless it is told otherwise."""
    if given := os.environ.get("STANZA_RESOURCES_DIR"):
        return Path(given)
    with quiet("stanza"):
        from stanza.resources.common import DEFAULT_MODEL_DIR
    return Path(DEFAULT_MODEL_DIR)


def cut(batch: Sequence[Sequence[str]]) -> list[list[str]]:
    """Sentences as a model is shown them: no token longer than `LONGEST` characters."""
    return [[word[:LONGEST] for word in words] for words in batch]


def is_there(folder: Path, language: str, processor: Processor) -> bool:
    """Whether a folder has all that a pipeline of a language's default models reads.

    Raises:
        InputError: the folder has no description that can be read.
    """
    known = _known(str(folder), language, _resources(str(folder)))
    for part in _PARTS[processor]:
        there, default = packages_there(folder, language, part), _default(known, part)
        if default not in there and (part, default) != ("lemma", _IDENTITY):
            return False
    return True


def packages_there(folder: Path, language: str, processor: Part) -> list[str]:
    """The models of a language that lie in a folder with all that they need, the default one first.

    The folder's description lists every model that there is to download, so that the files themselves are looked for.

    Raises:
        InputError: the folder has no description that can be read.
    """
    known = _known(str(folder), language, _resources(str(folder)))
    try:
        first = _default(known, processor)
        names = sorted(known.get(processor, {}), key=lambda name: (name != first, name))
        home = folder / _called(folder, language)
        files = {name: [home / processor / f"{name}.pt", *_needed(home, known[processor][name])] for name in names}
    except (KeyError, TypeError, AttributeError) as error:
        raise _no_folder(str(folder), error) from error
    return [name for name in names if all(file.is_file() for file in files[name])]


def _default(known: Mapping[str, Any], processor: Part) -> str:
    """The model that is loaded where none is named; empty where the description names none."""
    return str(known.get("packages", {}).get("default", {}).get(processor, ""))


def _needed(home: Path, described: Mapping[str, Any] | None) -> list[Path]:
    """The files that a model needs besides its own, as its folder describes it."""
    needed = (described or {}).get("dependencies") or ()
    return [home / one["model"] / f"{one['package']}.pt" for one in needed]


def languages_there(folder: Path, processor: Processor) -> list[str]:
    """The languages of which models lie in a folder.

    Raises:
        InputError: the folder has no description that can be read.
    """
    named = sorted(name for name, entry in _resources(str(folder)).items() if _has(entry, processor))
    return [name for name in named if packages_there(folder, name, processor)]


def _has(entry: object, processor: Processor) -> bool:
    return isinstance(entry, dict) and processor in entry


def _resources(folder: str, how: str = "") -> dict[str, Any]:
    """What a folder says that there is, by language.

    how  what to do where it has no description, for the message
    """
    try:
        found = json.loads((Path(folder) / RESOURCES).read_text("utf-8"))
        return dict(found.items())
    except (OSError, ValueError, AttributeError) as error:
        raise _no_folder(folder, error, how) from error


def _called(folder: Path, language: str) -> str:
    """The language's name in the folder, where it was asked for by another one."""
    return str(_resources(str(folder)).get(language, {}).get("alias", language))


def _known(folder: str, language: str, resources: Mapping[str, Any]) -> dict[str, Any]:
    """What there is for a language, which may be asked for by another of its names."""
    try:
        known = resources.get(language, {})
        known = resources[known["alias"]] if "alias" in known else known
        return dict(known)
    except (ValueError, KeyError, TypeError) as error:
        raise _no_folder(folder, error) from error


def _no_folder(folder: str, error: Exception, how: str = "") -> InputError:
    return InputError(
        f"stanza:{folder} is no folder of Stanza models: its {RESOURCES} cannot be read ({error}); "
        f"a folder that stanza.download made, or a .pt file, is expected{how and '. '}{how}"
    )


def _processors(processor: Processor) -> str:
    return ",".join(("tokenize", *_PARTS[processor]))


def _how(model: StanzaModel) -> str:
    """How to get a folder that has what is to be loaded."""
    return (
        f'Download models with stanza.download("{model.language}", model_dir="FOLDER", '
        f'processors="{_processors(model.processor)}") and name that folder'
    )


@lru_cache(maxsize=3)  # a recogniser, a tagger and a parser in one run
def _load(model: StanzaModel, version: Version) -> Any:
    path = Path(model.path)
    if not path.exists():
        raise InputError(f"stanza:{model.path}: there is no such folder or file. {_how(model)}")
    if path.is_dir():
        return _built(model, dir=str(path), **_packages(model))
    paths = {f"{model.processor}_{key}_path": file for key, file in model.given}
    missing = [file for file in paths.values() if not Path(file).is_file()]
    if missing:
        raise InputError(f"stanza:{model.path}: there is no file {', '.join(missing)}")
    paths[f"{model.processor}_model_path"] = str(path)
    with tempfile.TemporaryDirectory() as empty:
        (Path(empty) / RESOURCES).write_text("{}", "utf-8")
        return _built(model, dir=empty, allow_unknown_language=True, processors=_processors(model.processor), **paths)


def _packages(model: StanzaModel) -> dict[str, Any]:
    """Which processors to load from a folder, checked against what it says it has."""
    resources, processor = _resources(model.path, _how(model)), model.processor
    known = _known(model.path, model.language, resources)
    if processor not in known:
        languages = sorted(name for name, entry in resources.items() if _has(entry, processor))
        raise InputError(
            f"stanza:{model.path} has no {_NAMES[processor]} for {model.option}={model.language}; "
            f"it has some for: {', '.join(languages) or 'no language'}. {_how(model)}"
        )
    wrong = [name for name in model.packages if name not in known[processor]]
    if wrong:
        listed = ", ".join(sorted(known[processor]))
        raise InputError(f"stanza:{model.path},package={wrong[0]}: for {model.language} it lists {listed}")
    if model.packages:
        parts = dict.fromkeys(("tokenize", *_PARTS[processor]), "default")
        return {"processors": {**parts, processor: list(model.packages)}, "package": None}
    return {"processors": _processors(processor)}


def _built(model: StanzaModel, **settings: Any) -> Any:
    parts = _PARTS[model.processor]
    with quiet("stanza"):
        try:
            import stanza
        except ImportError as error:
            raise MissingExtra(f"a {_NAMES[model.processor]} of Stanza's", "Stanza", "stanza") from error
        try:
            return stanza.Pipeline(
                lang=model.language,
                tokenize_pretokenized=True,
                download_method=None,
                device=None if model.device == "auto" else model.device,
                verbose=False,
                **{f"{part}_batch_size": model.batch for part in parts if part in _BATCHED},
                **settings,
            )
        except Exception as error:  # a file that is none of its models, or a part that is not there
            what = " ".join(f"{type(error).__name__}: {error}".split())
            needs = "A .pt file may need pretrain=, forward-charlm= and backward-charlm=; "
            raise InputError(
                f"stanza:{model.path},{model.option}={model.language} cannot be loaded ({what}). "
                f"{needs if model.processor == 'ner' else ''}a folder needs every file that its {RESOURCES} lists for "
                f"{', '.join(parts)}"
            ) from error

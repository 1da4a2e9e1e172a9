"""Stanza's entity recognisers on sentences that are tokenised already, offline."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from nerquake.core.errors import InputError, PluginError
from nerquake.core.protocols import Tagging
from nerquake.core.scheme import BIOES, Repair
from nerquake.registry import positional
from nerquake.taggers.changed_text import place_tokens
from nerquake.taggers.quiet import Version, digest_of, quiet, version_of
from nerquake.taggers.seen import SeenTokens, seen_tokens

RESOURCES = "resources.json"
SHOWN = 600
"""Characters of a sentence in a message."""


@dataclass(frozen=True, slots=True)
class StanzaTagger:
    """A Stanza entity recogniser: a folder as `stanza.download` makes it, or one saved model file. Nothing is fetched.

    Tokens are taken as they are, without splitting or expanding them; empty and blank ones are unseen.

    model              the folder with resources.json, or a .pt file
    lang               the language, as Stanza names it
    package            which recognisers of the folder, by name; more than one are merged, earlier ones win
    pretrain           word vectors that a .pt file needs
    forward_charlm     the forward character model that a .pt file needs
    backward_charlm    the backward character model that a .pt file needs
    repair             what becomes of ill-formed tags
    batch              sentences that Stanza takes at a time
    device             where it runs; auto: a graphics processor where there is one
    """

    model: str = positional()
    lang: str = "en"
    package: tuple[str, ...] = ()
    pretrain: str = ""
    forward_charlm: str = ""
    backward_charlm: str = ""
    repair: Repair = "conlleval"
    batch: int = 32
    device: Literal["auto", "cpu", "cuda"] = "auto"

    def __post_init__(self) -> None:
        if not self.model:
            raise ValueError("it needs a model: stanza:FOLDER,lang=de or stanza:FILE.pt,lang=de")
        if self.batch < 1:
            raise ValueError(f"batch={self.batch}: at least 1 is expected")

    def labels(self) -> frozenset[str]:
        """The labels that its recognisers know."""
        processor = self._nlp().processors["ner"]
        return frozenset(tag for at in range(len(processor.trainers)) for tag in processor.get_known_tags(at))

    def predict(self, batch: Sequence[tuple[str, ...]]) -> list[Tagging]:
        """The entities of each sentence."""
        asked = [seen_tokens(tokens, str.strip) for tokens in batch]
        shown = [one for one in asked if one.tokens]
        nlp = self._nlp()
        found: Iterator[Tagging] = iter(self._tagged(nlp, shown) if shown else ())
        return [next(found) if one.tokens else one.restore(Tagging(())) for one in asked]

    def fingerprint(self) -> str:
        """A hash over Stanza's version, the repair and the files that it reads."""
        with quiet("stanza"):
            import stanza
        return digest_of(*_files(self._nlp()), start=f"stanza {stanza.__version__} {self.repair}")

    def _nlp(self) -> Any:
        path = Path(self.model)
        inside = sorted(path.glob("*/*/*.pt")) if path.is_dir() else []
        given = [file for file in (self.pretrain, self.forward_charlm, self.backward_charlm) if file]
        return _pipeline(self, version_of(path / RESOURCES if path.is_dir() else path, *inside, *given))

    def _tagged(self, nlp: Any, shown: Sequence[SeenTokens]) -> list[Tagging]:
        with quiet("stanza"):
            sentences = nlp([list(one.tokens) for one in shown]).sentences
        return [
            one.restore(_tagging(one, sentence, self.repair)) for one, sentence in zip(shown, sentences, strict=True)
        ]


def _tagging(one: SeenTokens, sentence: Any, repair: Repair) -> Tagging:
    """Its tags as spans; what its scheme does not allow is repaired as asked and counted.

    Raises:
        PluginError: `repair` is "none" and there are invalid transitions.
    """
    tags = [token.ner or "O" for token in sentence.tokens]
    invalid = len(BIOES.violations(tags))
    if invalid and repair == "none":
        shown = " ".join(f"{token}/{tag}" for token, tag in zip(one.tokens, tags, strict=False))
        raise PluginError(
            f"stanza gave ill-formed {BIOES.name} tags, and repair is none, in the sentence {_short(shown)} "
            "(--repair conlleval|discard reads them)"
        )
    placed = place_tokens(one.tokens, [token.text for token in sentence.tokens], BIOES.decode(tags, repair))
    return Tagging(placed.spans, placed.unseen, invalid, placed.notes)


def _short(text: str) -> str:
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "…")


def _files(nlp: Any) -> list[Path]:
    """What the recogniser was made from: models, word vectors, character models."""
    config = nlp.config
    named: list[Any] = [config.get("ner_model_path")]
    named += [config.get(f"ner_{key}_path") for key in ("pretrain", "forward_charlm", "backward_charlm")]
    named += [path for block in config.get("ner_dependencies") or () for path in block.values()]
    flat = [path for entry in named if entry for path in (entry if isinstance(entry, list) else [entry])]
    return sorted({Path(path) for path in flat if Path(path).is_file()})


@lru_cache(maxsize=2)
def _pipeline(tagger: StanzaTagger, version: Version) -> Any:
    """The pipeline, loaded.

    Raises:
        InputError: the folder, the language in it or a file is not what Stanza expects.
    """
    path = Path(tagger.model)
    if not path.exists():
        raise InputError(
            f"stanza:{tagger.model}: there is no such folder or file. Download models with "
            f'stanza.download("{tagger.lang}", model_dir="FOLDER", processors="tokenize,ner") and name that folder'
        )
    if path.is_dir():
        return _built(tagger, dir=str(path), **_packages(tagger, path))
    given = {"pretrain": tagger.pretrain, "forward_charlm": tagger.forward_charlm,
             "backward_charlm": tagger.backward_charlm}  # fmt: skip
    paths = {f"ner_{key}_path": value for key, value in given.items() if value}
    missing = [value for value in paths.values() if not Path(value).is_file()]
    if missing:
        raise InputError(f"stanza:{tagger.model}: there is no file {', '.join(missing)}")
    with tempfile.TemporaryDirectory() as empty:
        (Path(empty) / RESOURCES).write_text("{}", "utf-8")
        return _built(tagger, dir=empty, allow_unknown_language=True, processors="tokenize,ner",
                      ner_model_path=str(path), **paths)  # fmt: skip


def _packages(tagger: StanzaTagger, folder: Path) -> dict[str, Any]:
    """Which processors to load from a folder, checked against what it says it has."""
    try:
        resources = json.loads((folder / RESOURCES).read_text("utf-8"))
        known = resources.get(tagger.lang, {})
        known = resources[known["alias"]] if "alias" in known else known
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise InputError(
            f"stanza:{tagger.model} is no folder of Stanza models: its {RESOURCES} cannot be read ({error}); "
            "a folder that stanza.download made, or a .pt file, is expected"
        ) from error
    if "ner" not in known:
        languages = [name for name, entry in resources.items() if isinstance(entry, dict) and "ner" in entry]
        raise InputError(
            f"stanza:{tagger.model} has no recogniser for lang={tagger.lang}; "
            f"it has some for: {', '.join(sorted(languages)) or 'no language'}"
        )
    wrong = [name for name in tagger.package if name not in known["ner"]]
    if wrong:
        raise InputError(f"stanza:{tagger.model},package={wrong[0]}: for {tagger.lang} it lists "
                         f"{', '.join(sorted(known['ner']))}")  # fmt: skip
    if tagger.package:
        return {"processors": {"tokenize": "default", "ner": list(tagger.package)}, "package": None}
    return {"processors": "tokenize,ner"}


def _built(tagger: StanzaTagger, **settings: Any) -> Any:
    with quiet("stanza"):
        import stanza

        try:
            return stanza.Pipeline(
                lang=tagger.lang,
                tokenize_pretokenized=True,
                download_method=None,
                ner_batch_size=tagger.batch,
                device=None if tagger.device == "auto" else tagger.device,
                verbose=False,
                **settings,
            )
        except Exception as error:  # a file that is none of its models, or a part that is not there
            what = " ".join(f"{type(error).__name__}: {error}".split())
            raise InputError(
                f"stanza:{tagger.model},lang={tagger.lang} cannot be loaded ({what}). A .pt file may need pretrain=, "
                "forward-charlm= and backward-charlm=; a folder needs every file that its resources.json lists for ner"
            ) from error

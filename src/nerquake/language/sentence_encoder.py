"""How close the meanings of two sentences are, by a sentence encoder of transformers.

The vectors of a sentence's pieces are pooled as the model's folder says (their mean, or the first piece's), and two
sentences are compared by the cosine of the angle between theirs.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nerquake.core.errors import InputError, MissingExtra
from nerquake.models.checkpoint import (
    Head,
    Source,
    fingerprint_of,
    load_config,
    load_tokenizer,
    load_weights,
    quiet,
    room_of,
    source_of,
)
from nerquake.models.means import Plugin, means_of

PLUGIN = Plugin("sentence encoder", "encoder")
_HEAD = Head(
    "AutoModel",
    "its vectors would be random in part. Name the folder of a sentence encoder",
    "the sizes in config.json are those of the weights",
)
_POOLED = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "first"}


@dataclass(frozen=True, slots=True)
class SentenceEncoder:
    """A sentence encoder: a folder, or a name on the Hugging Face hub. It runs on the processor, in float32.

    Each sentence is encoded by itself, so that its vector does not depend on others. Pieces that the model cannot take
    are cut off.
    """

    model: str

    def likeness(self, one: str, other: str) -> float:
        """The cosine of two sentences' vectors, at most 1.

        Raises:
            MissingExtra: torch or transformers is not installed.
            InputError: the folder holds no sentence encoder that can be loaded.
        """
        first, second = (_vector(self._source(), text) for text in (one, other))
        size = float(np.linalg.norm(first) * np.linalg.norm(second))
        return min(1.0, float(first @ second) / size) if size else 0.0

    def check(self) -> None:
        """See that the libraries and the files are there.

        Raises:
            MissingExtra, InputError: as for `likeness`.
        """
        means_of(PLUGIN, "cpu", "fp32")
        _pooling(self._source())

    def about(self) -> tuple[str, ...]:
        """One line on what runs."""
        return (f"{PLUGIN.name}:{self.model} runs on {means_of(PLUGIN, 'cpu', 'fp32')}",)

    def fingerprint(self) -> str:
        """A hash over its files, and what it runs on."""
        return f"{fingerprint_of(self._source())}, {means_of(PLUGIN, 'cpu', 'fp32')}"

    def _source(self) -> Source:
        return source_of(self.model, "", PLUGIN)


def _pooling(source: Source) -> str:
    """How the pieces' vectors become one: mean or first.

    Raises:
        InputError: in a way that is not known here.
    """
    folder = Path(source.model)
    layers = _json(folder / "modules.json") or []
    kinds = [str(layer.get("type", "")).rpartition(".")[2] for layer in layers if isinstance(layer, dict)]
    odd = [kind for kind in kinds if kind not in ("Transformer", "Pooling", "Normalize")]
    if odd:
        raise InputError(f"{source.where}: its modules.json asks for {', '.join(odd)}, which is not known here; name a "
                         "sentence encoder that only pools")  # fmt: skip
    asked = _json(folder / "1_Pooling" / "config.json") or {"pooling_mode_mean_tokens": True}
    found = [way for key, way in _POOLED.items() if asked.get(key)]
    others = [key for key, on in asked.items() if key.startswith("pooling_mode_") and on is True and key not in _POOLED]
    if len(found) != 1 or others:
        raise InputError(f"{source.where}: its pooling is not known here; the mean and the first piece are")
    return found[0]


def _json(path: Path) -> Any:
    """What a file holds, None where there is none."""
    try:
        return json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None


@dataclass(frozen=True, slots=True, eq=False)
class _Engine:
    tokenizer: Any
    model: Any
    room: int
    pooling: str


@lru_cache(maxsize=2)
def _load(source: Source) -> _Engine:
    means_of(PLUGIN, "cpu", "fp32")
    with quiet():
        config, tokenizer = load_config(source), load_tokenizer(source)
        room = room_of(config, tokenizer, 0, source.where)
        return _Engine(tokenizer, load_weights(source, _HEAD, "fp32"), room, _pooling(source))


@lru_cache(maxsize=1 << 12)
def _vector(source: Source, text: str) -> NDArray[np.float64]:
    """A sentence's vector [H]."""
    try:
        import torch
    except ImportError as error:
        raise MissingExtra(str(PLUGIN), "torch", "huggingface") from error
    engine = _load(source)
    shown = text.encode("utf-8", "replace").decode("utf-8")  # tokenizers refuse halves of a surrogate pair
    with quiet(), torch.inference_mode():
        given = engine.tokenizer(shown, truncation=True, max_length=engine.room, return_tensors="pt")
        states = engine.model(**given).last_hidden_state[0]
        pooled = states[0] if engine.pooling == "first" else states.mean(dim=0)
    made: NDArray[np.float64] = pooled.double().numpy()
    return made

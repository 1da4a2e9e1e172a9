"""Loading transformers checkpoints: configuration, tokenizer, weights, and clear words where one is missing."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from nerquake.core.errors import InputError, MissingExtra, UnknownName, UsageError
from nerquake.models.means import Plugin

OFFSET_POSITIONS = frozenset({
    "bigbird_roberta", "camembert", "data2vec-text", "esm", "ibert", "longformer", "luke", "mpnet", "roberta",
    "roberta-prelayernorm", "xlm-roberta", "xlm-roberta-xl", "xmod",
})  # fmt: skip
"""Model types whose positions begin behind the padding index, so that they take fewer pieces than they have places."""
READ = ("*", "onnx/*")
"""The files of a folder that are read; those in other folders, such as a training's checkpoints, are not."""
UNKNOWN_LENGTH = 512
"""Pieces a model takes at once where neither configuration nor tokenizer says it (relative positions)."""


class Source(NamedTuple):
    """Where a checkpoint comes from: a folder, or a name on the hub with a revision.

    stamp   changes with the folder's files
    plugin  the plug-in that loads it
    """

    model: str
    revision: str
    stamp: tuple[tuple[str, int, int], ...]
    plugin: Plugin

    @property
    def where(self) -> str:
        """What messages call it."""
        return f"{self.plugin.name}:{self.model}"

    @property
    def arguments(self) -> dict[str, Any]:
        """What every loader is told. Code that comes with a checkpoint is never run."""
        return {"trust_remote_code": False, **({"revision": self.revision} if self.revision else {})}


def source_of(model: str, revision: str, plugin: Plugin) -> Source:
    """The checkpoint that a specification names.

    Raises:
        InputError: it is a file, or a folder without a checkpoint.
    """
    path, named = Path(model), Source(model, revision, (), plugin)
    if path.is_file():
        raise InputError(f"{named.where} is a file; name the folder that holds config.json and the weights")
    if not path.is_dir():
        return named
    if not (path / "config.json").is_file():
        held = ", ".join(sorted(entry.name for entry in path.iterdir())[:8]) or "nothing"
        raise InputError(f"{named.where} has no config.json, so it is no checkpoint; the folder holds {held}")
    files = (file for pattern in READ for file in sorted(path.glob(pattern)) if file.is_file())
    stamp = tuple((str(file.relative_to(path)), file.stat().st_mtime_ns, file.stat().st_size) for file in files)
    return named._replace(stamp=stamp)


@lru_cache(maxsize=16)
def load_config(source: Source) -> Any:
    """The checkpoint's configuration.

    Raises:
        UnknownName: there is no such folder, and the hub does not have it or cannot be asked.
        InputError: it is damaged, or its model type is not known here.
    """
    from transformers import AutoConfig

    with quiet(), _explained(source, "its configuration cannot be read"):
        return AutoConfig.from_pretrained(source.model, **source.arguments)


def load_tokenizer(source: Source, *, words: bool = True) -> Any:
    """The checkpoint's tokenizer, the fast one where there is one.

    words   it is to split single words: byte-level tokenizers are told that a blank stands before every one of them, as
            it does in running text. Else it is for running text, and stays as it is

    Raises:
        InputError: it is missing or cannot be loaded, or can do nothing with single words.
    """
    from transformers import AutoTokenizer

    with quiet(), _explained(source, "its tokenizer cannot be loaded", _lacking(source)):
        tokenizer = AutoTokenizer.from_pretrained(source.model, **source.arguments)
        if words and _bare_bytes(tokenizer):
            tokenizer = AutoTokenizer.from_pretrained(source.model, add_prefix_space=True, **source.arguments)
            _put_blanks_in_front(tokenizer)
        if len(tokenizer) <= len(tokenizer.all_special_ids):  # some versions make one up where its files are missing
            raise InputError("the folder has no vocabulary, so every word would be unknown")
    if not getattr(tokenizer, "is_fast", False) and not callable(getattr(tokenizer, "tokenize", None)):
        raise InputError(
            f"{source.where}: its tokenizer ({type(tokenizer).__name__}) neither gives word ids nor splits single "
            "words, so that pieces cannot be brought back to tokens; save the checkpoint with a fast tokenizer"
        )
    return tokenizer


def _lacking(source: Source) -> str:
    """Which files a folder's tokenizer could be read from, where it has none of them or only some of a set; else ""."""
    if not source.stamp:
        return ""
    from transformers.models.auto.tokenization_auto import TOKENIZER_MAPPING

    there = {name for name, _, _ in source.stamp}
    classes = TOKENIZER_MAPPING.get(type(load_config(source)), None)
    listed = classes if isinstance(classes, tuple) else (classes,)
    files = {key: file for one in listed for key, file in getattr(one, "vocab_files_names", {}).items()}
    whole = files.pop("tokenizer_file", "tokenizer.json")
    absent = sorted(file for file in files.values() if file not in there)
    if whole in there or (files and not absent):
        return ""
    return f"the folder has no {whole}" + (f", and in its stead no {', '.join(absent)}" if absent else "")


def _put_blanks_in_front(tokenizer: Any) -> None:
    """See that a byte-level tokenizer puts a blank in front of each word: of some kinds, some versions forget it."""
    if not _bare_bytes(tokenizer) or not getattr(tokenizer, "is_fast", False):
        return
    from tokenizers.pre_tokenizers import ByteLevel

    state = json.loads(tokenizer.backend_tokenizer.pre_tokenizer.__getstate__())
    tokenizer.backend_tokenizer.pre_tokenizer = ByteLevel(
        add_prefix_space=True, trim_offsets=state.get("trim_offsets", True), use_regex=state.get("use_regex", True)
    )


def _bare_bytes(tokenizer: Any) -> bool:
    """Whether it is a byte-level tokenizer that would see each word as if nothing stood before it."""
    if not getattr(tokenizer, "is_fast", False):
        return getattr(tokenizer, "add_prefix_space", True) is False
    splitter = tokenizer.backend_tokenizer.pre_tokenizer
    state = splitter.__getstate__() if splitter is not None else b""
    return state.startswith(b'{"type":"ByteLevel"') and b'"add_prefix_space":false' in state


class Head(NamedTuple):
    """What a checkpoint has on top of its encoder.

    loader   the library's class that loads both
    missing  what follows "the checkpoint has no weights for ..., so "
    misfit   what to look at where the head alone does not fit the configuration
    """

    loader: str
    missing: str
    misfit: str


def load_weights(source: Source, head: Head, precision: str) -> Any:
    """The model in evaluation mode, on the processor, in bfloat16 ("bf16") or float32 (anything else).

    Raises:
        MissingExtra: torch is not installed.
        InputError: weights are missing or do not fit; a checkpoint without such a head is one of these.
    """
    try:
        import torch
    except ImportError as error:
        raise MissingExtra(str(source.plugin), "torch", "huggingface") from error
    import transformers

    with quiet(), _explained(source, "its weights cannot be loaded"):
        model, found = getattr(transformers, head.loader).from_pretrained(
            source.model,
            config=load_config(source),
            dtype=torch.bfloat16 if precision == "bf16" else torch.float32,
            output_loading_info=True,
            ignore_mismatched_sizes=True,  # they are told here, all of them, and with their sizes
            **source.arguments,
        )
    _check_sizes(source, head, model, found["mismatched_keys"])
    missing = sorted(found["missing_keys"])
    if missing:
        listed = ", ".join(missing[:3]) + (f" and {len(missing) - 3} more" if len(missing) > 3 else "")
        raise InputError(f"{source.where}: the checkpoint has no weights for {listed}, so {head.missing}")
    return model.eval()


def load_encoder(source: Source, loader: str, tags: Sequence[str]) -> Any:
    """The model in float32 on the processor with a new head for `tags`, drawn from torch's generator.

    Raises:
        InputError: weights of the encoder are missing or do not fit.
    """
    import torch
    import transformers

    config = deepcopy(load_config(source))
    config.id2label = dict(enumerate(tags))
    config.label2id = {tag: at for at, tag in enumerate(tags)}
    with quiet(), _explained(source, "its weights cannot be loaded"):
        model, found = getattr(transformers, loader).from_pretrained(
            source.model,
            config=config,
            dtype=torch.float32,
            output_loading_info=True,
            ignore_mismatched_sizes=True,
            **source.arguments,
        )
    body = f"{model.base_model_prefix}."
    lacking = [key for key in sorted(found["missing_keys"]) if key.startswith(body) and ".pooler." not in key]
    odd = [key for key in found["mismatched_keys"] if (key if isinstance(key, str) else key[0]).startswith(body)]
    if lacking:
        raise InputError(f"{source.where}: the checkpoint has no weights for {', '.join(lacking[:3])}, so it is no "
                         f"{config.model_type} encoder: name another, or copy it anew")  # fmt: skip
    if odd:
        _check_sizes(source, Head(loader, "", ""), model, odd)
    return model


def _check_sizes(source: Source, head: Head, model: Any, keys: Collection[Any]) -> None:
    """See that the weights fit the configuration. Older versions tell their names only, later ones the sizes too."""
    told = sorted((key, ()) if isinstance(key, str) else (key[0], tuple(key[1])) for key in keys)
    if not told:
        return
    wanted = model.state_dict()
    parts = [
        f"{name}{f' is {list(size)},' if size else ''} should be {list(wanted[name].shape) if name in wanted else ''}"
        for name, size in told[:3]
    ]
    more = f" and {len(told) - 3} more" if len(told) > 3 else ""
    in_head = not any(name.startswith(f"{model.base_model_prefix}.") for name, _ in told)
    raise InputError(
        f"{source.where}: its weights cannot be loaded: size mismatch for {'; '.join(parts)}{more} by its config.json. "
        + (head.misfit if in_head else "The weights are of another configuration")
    )


def room_of(config: Any, tokenizer: Any, asked: int, where: str) -> int:
    """How many pieces the model takes at once, special ones included. `asked` is what the user wants, or 0.

    Raises:
        UsageError: more is asked for than the model has positions.
    """
    places = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None) or 0
    if places > 0 and getattr(config, "model_type", "") in OFFSET_POSITIONS:
        places -= (getattr(config, "pad_token_id", None) or 0) + 1
    if asked > places > 0:
        raise UsageError(f"{where}: max_length={asked}, but the model has {places} positions")
    told = getattr(tokenizer, "model_max_length", None) or 0
    known = [length for length in (places, told) if 0 < length < 1_000_000]
    return asked or min(known, default=UNKNOWN_LENGTH)


def fingerprint_of(source: Source) -> str:
    """SHA-256 over the folder's files, or the hub's commit."""
    if source.stamp:
        return _hash_folder(source)
    commit = getattr(load_config(source), "_commit_hash", None)
    return f"{source.model} {commit or source.revision}"


@lru_cache(maxsize=16)
def _hash_folder(source: Source) -> str:
    digest = sha256()
    for name, _, size in source.stamp:
        digest.update(f"{name}\0{size}\0".encode("utf-8", "surrogateescape"))
        with (Path(source.model) / name).open("rb") as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
    return digest.hexdigest()


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the library's log lines and progress bars to itself: what matters is said in errors and notes."""
    from transformers.utils import logging

    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity(logging.CRITICAL)
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()


@contextmanager
def _explained(source: Source, what: str, why: str = "") -> Iterator[None]:
    """Turn whatever a loader raises into one message: for a folder what is wrong with it, for a name what there is.

    why   what is known to be wrong, which loaders say less well, if anything
    """
    try:
        yield
    except Exception as error:  # loaders raise errors of their own, of json, of tokenizers and of pickle
        first = why or next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
        if source.stamp or not _absent(error):
            raise InputError(f"{source.where}: {what}: {first}") from error
        raise UnknownName("model here (folder or hub cache)", source.model, _known(), _how_to_get(first)) from error


def _absent(error: Exception) -> bool:
    """Whether the hub does not have a model, or could not be asked."""
    return isinstance(error, OSError)


def _how_to_get(first: str) -> str:
    offline = os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "ON", "YES", "TRUE"}
    asked = "HF_HUB_OFFLINE=1 keeps the hub out of reach." if offline else f"The hub was asked: {first}"
    return f"{asked} `hf download NAME --local-dir FOLDER`, run where there is a network, makes a folder to name here."


def _known() -> list[str]:
    """Checkpoint folders near the working directory, and models in the hub's cache on this machine."""
    from huggingface_hub.constants import HF_HUB_CACHE

    here = Path()
    folders = sorted(
        str(file.parent) for pattern in ("*/config.json", "*/*/config.json") for file in here.glob(pattern)
    )
    cached = sorted(folder.name.removeprefix("models--") for folder in Path(HF_HUB_CACHE).glob("models--*"))
    return [*folders[:20], *(name.replace("--", "/") for name in cached[:20])]

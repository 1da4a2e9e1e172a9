"""What a model runs on: which library, which device, in which precision."""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, NamedTuple

from nerquake.core.errors import MissingExtra, UsageError

Device = Literal["auto", "cpu", "cuda"]
Chosen = Literal["cpu", "cuda"]
Precision = Literal["auto", "fp32", "bf16", "int8"]
Runtime = Literal["torch", "onnx"]
BF16_FLAGS = frozenset({"amx_bf16", "avx512_bf16", "bf16"})
"""What processors that multiply in bfloat16 say of themselves."""
INT8_FLAGS = frozenset({"amx_int8", "avx512_vnni", "avx_vnni"})
"""What processors that multiply whole numbers of eight bits say of themselves."""


class Plugin(NamedTuple):
    """The plug-in that a model is loaded for, as messages call it."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"the {self.kind} {self.name}"


class Means(NamedTuple):
    """What a model runs on, once `auto` is settled."""

    runtime: Runtime
    device: Chosen
    precision: Literal["fp32", "bf16", "int8", "as exported"]

    def __str__(self) -> str:
        library = "onnxruntime" if self.runtime == "onnx" else "torch"
        return f"{self.device}, {self.precision}, {library} {version(library)}, transformers {version('transformers')}"


def means_of(plugin: Plugin, device: Device, precision: Precision, runtime: Runtime = "torch") -> Means:
    """Settle `auto`: a GPU where there is one, bfloat16 where the processor multiplies in it.

    Raises:
        MissingExtra: the runtime is not installed.
        UsageError: the device or precision asked for is not to be had here.
    """
    if runtime == "onnx":
        return _onnx_means(plugin, device, precision)
    if find_spec("torch") is None:
        raise MissingExtra(str(plugin), "torch", "huggingface")
    import torch

    there = torch.cuda.is_available()
    if device == "cuda" and not there:
        raise UsageError(
            f"{plugin.name}: device=cuda, but torch finds no GPU here; device=cpu or auto runs without one"
        )
    if precision == "int8":
        return _int8_means(plugin, device)
    chosen: Chosen = "cuda" if there and device != "cpu" else "cpu"
    able = torch.cuda.is_bf16_supported() if chosen == "cuda" else processor_has_bf16()
    if precision == "bf16" and not able:
        raise UsageError(
            f"{plugin.name}: precision=bf16, but this {'GPU' if chosen == 'cuda' else 'processor'} does not multiply "
            "in bfloat16; precision=fp32 or auto runs here"
        )
    return Means("torch", chosen, "bf16" if able and precision != "fp32" else "fp32")


def _int8_means(plugin: Plugin, device: Device) -> Means:
    """Whole numbers of eight bits: on the processor only, and where it is quicker for them."""
    import torch

    if device == "cuda":
        raise UsageError(f"{plugin.name}: precision=int8 runs on the processor only; device=cpu, or another precision")
    if not processor_has_int8():
        raise UsageError(
            f"{plugin.name}: precision=int8, but this processor has no instructions for it "
            f"(one of {', '.join(sorted(INT8_FLAGS))}), so that it would be slower; precision=fp32 or auto runs here"
        )
    if not _multiplies(torch):
        raise UsageError(
            f"{plugin.name}: precision=int8, but torch {version('torch')} does not multiply matrices of whole numbers "
            "here (torch._int_mm, with oneDNN, in torch 2.4 and later); precision=fp32 or auto runs here"
        )
    return Means("torch", "cpu", "int8")


def _multiplies(torch: Any) -> bool:
    """Whether torch multiplies the largest numbers of eight bits without losing any: some kernels overflow."""
    multiply = getattr(torch, "_int_mm", None)
    if multiply is None or not torch.backends.mkldnn.is_available():
        return False
    left = torch.full((32, 64), -127, dtype=torch.int8)
    right = torch.full((64, 32), 127, dtype=torch.int8)
    right[:, ::2] = -127
    try:
        return bool((multiply(left, right).long() == left.long() @ right.long()).all())
    except (RuntimeError, NotImplementedError):
        return False


def _onnx_means(plugin: Plugin, device: Device, precision: Precision) -> Means:
    if find_spec("onnxruntime") is None:
        raise MissingExtra(f"{plugin} with runtime=onnx", "onnxruntime", "onnx")
    if precision != "auto":
        raise UsageError(f"{plugin.name}: runtime=onnx runs in the precision of the exported model, not {precision}")
    import onnxruntime

    there = "CUDAExecutionProvider" in onnxruntime.get_available_providers()
    if device == "cuda" and not there:
        raise UsageError(f"{plugin.name}: device=cuda, but this ONNX Runtime has no CUDA; pip install onnxruntime-gpu")
    return Means("onnx", "cuda" if there and device != "cpu" else "cpu", "as exported")


def processor_has_bf16() -> bool:
    """Whether the processor has instructions for bfloat16; False where the system does not say."""
    return not BF16_FLAGS.isdisjoint(processor_flags())


def processor_has_int8() -> bool:
    """Whether the processor has instructions for whole numbers of eight bits; False where the system does not say."""
    return not INT8_FLAGS.isdisjoint(processor_flags())


@lru_cache(maxsize=4)
def processor_flags(path: str = "/proc/cpuinfo") -> frozenset[str]:
    """What the processor says of itself; nothing where the system does not say."""
    try:
        text = Path(path).read_text("utf-8", "replace")
    except OSError:
        return frozenset()
    lines = (line.partition(":") for line in text.splitlines())
    return frozenset(next((value for key, _, value in lines if key.strip() in ("flags", "Features")), "").split())

"""Low-rank adapters beside the linear layers of an encoder (LoRA, Hu et al., 2021), made by the library peft."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, NamedTuple

import torch
from torch import nn

from nerquake.core.errors import MissingExtra, SpecError
from nerquake.models.quiet import quiet


class Lora(NamedTuple):
    """Adapters: a layer's weights are W + alpha / rank * B A, of which A and B alone are trained.

    rank   rows of A and columns of B
    alpha  what their product is multiplied with, times rank
    seed   of the first A; B begins as zeros, so that nothing changes before the first step
    """

    rank: int
    alpha: int
    seed: int = 0


def adapt(model: Any, lora: Lora) -> None:
    """Put adapters beside every linear layer of the encoder that is not frozen, and freeze the encoder itself.

    What lies above the encoder stays as it is, trained or frozen.

    Raises:
        MissingExtra: peft is not installed.
        SpecError: there is no layer to adapt.
    """
    try:
        with quiet("peft"):
            from peft import LoraConfig, inject_adapter_in_model
    except ModuleNotFoundError as error:
        if error.name != "peft":
            raise
        raise MissingExtra("peft=lora", "peft", "peft") from error
    targets = _targets(model)
    if not targets:
        raise SpecError("peft=lora: freeze= leaves no linear layer of the encoder that adapters could be put beside")
    trained = {name for name, one in model.named_parameters() if one.requires_grad and not _inside(model, name)}
    config = LoraConfig(r=lora.rank, lora_alpha=lora.alpha, target_modules=targets, lora_dropout=0.0)
    with quiet("peft"), torch.random.fork_rng(devices=[]):
        torch.manual_seed(lora.seed)
        inject_adapter_in_model(config, model)
    for name, one in model.named_parameters():
        if name in trained:  # peft freezes all but its adapters
            one.requires_grad_(True)


def merged(model: Any) -> Any:
    """A copy with the adapters added to the weights that they stand beside: an ordinary model, under ordinary names."""
    from peft.tuners.tuners_utils import BaseTunerLayer

    made = deepcopy(model)
    adapted = [(name, layer) for name, layer in made.named_modules() if isinstance(layer, BaseTunerLayer)]
    for name, layer in adapted:
        layer.merge()
        front, _, last = name.rpartition(".")
        setattr(made.get_submodule(front), last, layer.get_base_layer())
    return made


def _targets(model: Any) -> list[str]:
    from transformers.pytorch_utils import Conv1D

    return [
        name
        for name, layer in model.named_modules()
        if isinstance(layer, nn.Linear | Conv1D) and _inside(model, name) and layer.weight.requires_grad
    ]


def _inside(model: Any, name: str) -> bool:
    """Whether a layer or parameter belongs to the encoder."""
    return name.startswith(f"{model.base_model_prefix}.")

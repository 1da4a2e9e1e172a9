"""A training run on disk, so that one that is killed goes on to the same weights: one file, safetensors, no pickle."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from nerquake.core.errors import OutputError
from nerquake.nn.network import Network
from nerquake.train.steps import Stepper

NAME = "unfinished.safetensors"


@dataclass(slots=True)
class Position:
    """How far a run is.

    step    steps of this epoch that are done
    loss    their losses, undivided; weight: what to divide by
    best    the best epoch so far, counted from 1; 0: none
    score   its strict F1
    logs    a row for each epoch that ended
    """

    step: int = 0
    loss: float = 0.0
    weight: int = 0
    best: int = 0
    score: float = 0.0
    logs: list[tuple[Any, ...]] = field(default_factory=list)


class Found(NamedTuple):
    """A run that was saved."""

    position: Position
    best: dict[str, Tensor]


@dataclass(frozen=True, slots=True)
class SavedRun:
    """The file of a run.

    folder  where it is
    key     what the run depends on; a file with another key is not used
    """

    folder: Path
    key: str

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / NAME

    def keep(self, network: Network, stepper: Stepper, position: Position, best: Mapping[str, Tensor]) -> None:
        """Write everything that the next step depends on, whole or not at all.

        Raises:
            OutputError: it cannot be written.
        """
        tensors = {f"network/{name}": tensor for name, tensor in network.named_tensors()}
        tensors |= {f"best/{name}": tensor for name, tensor in best.items()}
        tensors |= dict(_optimiser_tensors(stepper))
        tensors["random/cpu"] = torch.get_rng_state()
        if torch.cuda.is_available():
            tensors["random/cuda"] = torch.cuda.get_rng_state()
        about = {"key": self.key, "position": asdict(position), "taken": stepper.taken, "plateau": stepper.plateau}
        temporary = self.path.with_name(f".{NAME}.{os.getpid()}.tmp")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            # shared tensors are written once each
            whole = {name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()}
            save_file(whole, temporary, {"run": json.dumps(about)})
            temporary.replace(self.path)
        except (OSError, SafetensorError) as error:
            temporary.unlink(missing_ok=True)
            raise OutputError(f"{self.path}: the run cannot be saved: {error}") from error

    def load(self, network: Network, stepper: Stepper, device: str) -> Found | None:
        """Put a saved run's state into a network and an optimiser; None where there is none, or one of another run."""
        try:
            with safe_open(self.path, "pt") as file:
                about = json.loads((file.metadata() or {}).get("run", "{}"))
                if about.get("key") != self.key:
                    return None
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 -- no mapping
        except (OSError, SafetensorError, ValueError):
            return None  # a file that cannot be read is a run that was not saved
        _put(dict(network.named_tensors()), _under(tensors, "network/"))
        _put_optimiser(stepper, _under(tensors, "optimiser/"), device)
        stepper.taken, stepper.plateau = about["taken"], about["plateau"]
        torch.set_rng_state(tensors["random/cpu"])
        if "random/cuda" in tensors and torch.cuda.is_available():
            torch.cuda.set_rng_state(tensors["random/cuda"])
        return Found(Position(**about["position"]), _under(tensors, "best/"))

    def remove(self) -> None:
        """The run has ended."""
        self.path.unlink(missing_ok=True)


def _under(tensors: Mapping[str, Tensor], front: str) -> dict[str, Tensor]:
    return {name.removeprefix(front): tensor for name, tensor in tensors.items() if name.startswith(front)}


def _put(own: Mapping[str, Tensor], saved: Mapping[str, Tensor]) -> None:
    with torch.no_grad():
        for name, tensor in saved.items():
            own[name].copy_(tensor)


def _optimiser_tensors(stepper: Stepper) -> Iterator[tuple[str, Tensor]]:
    for place, values in stepper.optimiser.state_dict()["state"].items():
        for name, value in values.items():
            if value is not None:
                yield f"optimiser/{place}/{name}", torch.as_tensor(value)


def _put_optimiser(stepper: Stepper, tensors: Mapping[str, Tensor], device: str) -> None:
    state: dict[int, dict[str, Tensor]] = {}
    for key, tensor in tensors.items():
        place, name = key.split("/")
        state.setdefault(int(place), {})[name] = tensor if name == "step" else tensor.to(device)
    whole = stepper.optimiser.state_dict()
    stepper.optimiser.load_state_dict({"state": state, "param_groups": whole["param_groups"]})

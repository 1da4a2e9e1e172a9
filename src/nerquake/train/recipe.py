"""What a recipe is: a network to train, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeGuard

from nerquake.core.sentence import Sentence
from nerquake.models.means import Device

if TYPE_CHECKING:
    from nerquake.nn.lora import Lora
    from nerquake.nn.network import Network
    from nerquake.train.loop import EpochLog

Precision = Literal["auto", "fp32", "bf16"]
Optimiser = Literal["adamw", "adam", "sgd"]
Decay = Literal["linear", "constant", "plateau"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """How a network is trained; recipes add their own options and have defaults of their own.

    epochs      passes over the data at most
    lr          the highest learning rate
    batch       sentences, or windows of long ones, that a step takes
    accumulate  parts that a batch is taken in, to save memory; the step is the same
    patience    epochs without a better strict F1 on the dev set before training stops; 0: never, and the last
                epoch's weights stay
    optimiser   adamw, adam or sgd
    weight_decay  of adamw
    warmup      share of all steps in which the rate rises
    decay       linear: the rate falls to 0; plateau: it is halved after half the patience; constant
    clip        largest norm of the gradient; 0: none
    device      auto: a GPU where there is one
    precision   bf16: products in bfloat16, weights in float32; auto: on a GPU that can
    """

    epochs: int = 10
    lr: float = 5e-5
    batch: int = 16
    accumulate: int = 1
    patience: int = 0
    optimiser: Optimiser = "adamw"
    weight_decay: float = 0.01
    warmup: float = 0.1
    decay: Decay = "linear"
    clip: float = 1.0
    device: Device = "auto"
    precision: Precision = "auto"

    def __post_init__(self) -> None:
        wholes = {"epochs": self.epochs, "batch": self.batch, "accumulate": self.accumulate}
        small = [f"{name}={value}" for name, value in wholes.items() if value < 1]
        rates = {"lr": self.lr, "weight_decay": self.weight_decay, "clip": self.clip, "patience": self.patience}
        negative = [f"{name}={value}" for name, value in rates.items() if value < 0]
        if small or negative:
            raise ValueError(f"{', '.join(small + negative)}: expected 1 or more, and rates of 0 or more")
        if not 0 <= self.warmup <= 1:
            raise ValueError(f"warmup={self.warmup}: a share of all steps, between 0 and 1")

    @property
    def base(self) -> str:
        """The trained model that goes on; empty for a new one."""
        return ""

    @property
    def reads(self) -> tuple[str, ...]:
        """Files besides models whose content counts, such as word vectors."""
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapting(Schedule):
    """A schedule of a transformer, of which all or only adapters are trained.

    peft        lora: train low-rank adapters beside the encoder's linear layers, with the layer for tags, and add them
                to its weights at the end; takes a higher rate, such as lr=1e-3
    lora_rank   rank of the adapters
    lora_alpha  what they are multiplied with, times lora-rank
    """

    peft: Literal["", "lora"] = ""
    lora_rank: int = 8
    lora_alpha: int = 16

    def __post_init__(self) -> None:
        Schedule.__post_init__(self)
        if self.lora_rank < 1 or self.lora_alpha < 1:
            raise ValueError(
                f"lora-rank={self.lora_rank}, lora-alpha={self.lora_alpha}: a rank of 1 or more is expected, "
                "and an alpha of 1 or more"
            )

    def lora(self, seed: int) -> Lora | None:
        """The adapters that are asked for."""
        if not self.peft:
            return None
        from nerquake.nn.lora import Lora

        return Lora(self.lora_rank, self.lora_alpha, seed)

    def about_adapters(self) -> tuple[str, ...]:
        """A line on what is trained where it is not the whole."""
        if not self.peft:
            return ()
        return (f"trained are adapters of rank {self.lora_rank} (LoRA, alpha {self.lora_alpha}) and what lies above "
                "the encoder",)  # fmt: skip


class Recipe(Protocol):
    """A network to train, and how: a plug-in whose options are those of `Schedule` and its own."""

    @property
    def base(self) -> str:
        """The folder or name of the trained model that goes on; empty for a new one."""
        ...

    @property
    def schedule(self) -> Schedule:
        """How it is trained."""
        ...

    @property
    def reads(self) -> tuple[str, ...]:
        """Files besides models whose content counts, such as word vectors."""
        ...

    def network(self, sentences: Sequence[Sentence], labels: Sequence[str], seed: int) -> Network:
        """The network before its first step, in float32 on the processor; the same for the same seed.

        sentences  the training data, for vocabularies
        labels     those that it is to tell apart, sorted

        Raises:
            InputError: a file or model that it begins with cannot be read, or has other labels.
        """
        ...

    def about(self) -> tuple[str, ...]:
        """Lines for the outputs: what is trained, and where it departs from a paper's setting."""
        ...


class Work(NamedTuple):
    """What a recipe that trains itself is given.

    labels    those that the model is to tell apart, sorted
    dev       what the best epoch is chosen by; None: there is none, and the last epoch's weights stay
    folder    where the model goes
    watching  is told of steps and epochs (`loop.Watching`); None: nobody
    """

    sentences: Sequence[Sentence]
    labels: Sequence[str]
    dev: Sequence[Sentence] | None
    seed: int
    folder: Path
    watching: Any = None


class Trained(NamedTuple):
    """A model that was trained, as `train.json` tells it.

    scheme      name of the tag scheme
    parameters  how many numbers it consists of
    epochs      a line each
    best        the epoch whose weights stay, counted from 1
    """

    labels: tuple[str, ...]
    tags: tuple[str, ...]
    scheme: str
    parameters: int
    epochs: tuple[EpochLog, ...]
    best: int
    stopped_early: bool


class SelfTraining(Protocol):
    """A recipe of a library that trains its models itself and writes them in its own form.

    A run that is killed begins anew, to the same model. `schedule` tells what the library is asked for: how many
    epochs at most, and whether a dev set is needed (`patience`).
    """

    @property
    def base(self) -> str:
        """The folder or name of the trained model that goes on; empty for a new one."""
        ...

    @property
    def schedule(self) -> Schedule:
        """How it is trained, in short."""
        ...

    def state(self) -> str:
        """What the weights depend on beside options and data: the library's version, the contents of files."""
        ...

    def train_into(self, work: Work) -> Trained:
        """Train a model and write it into the folder, whole or not at all; the same for the same seed.

        Raises:
            InputError: a file or model that it begins with cannot be read.
            OutputError: the model cannot be written.
        """
        ...

    def about(self) -> tuple[str, ...]:
        """Lines for the outputs: what is trained, and where it departs from a paper's setting."""
        ...


def trains_itself(recipe: Recipe | SelfTraining) -> TypeGuard[SelfTraining]:
    """Whether a recipe follows `SelfTraining`."""
    return hasattr(recipe, "train_into")

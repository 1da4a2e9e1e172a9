"""What training and tagging need of a network, whatever it is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from torch import Tensor
from torch.nn import Parameter

from nerquake.core.protocols import Tagging
from nerquake.core.sentence import Sentence
from nerquake.nn.tags import TagSet


class Loss(NamedTuple):
    """The loss of a batch before it is divided, so that batches that are gathered weigh as one.

    total    the sum over what is counted; a scalar with a gradient
    number   what it is divided by: tokens, or sentences
    """

    total: Tensor
    number: int


class Group(NamedTuple):
    """Parameters that share a learning rate.

    factor  times the schedule's rate
    decay   whether weight decay applies
    """

    parameters: list[Parameter]
    factor: float
    decay: bool


class Network(Protocol):
    """A recogniser that can be trained: a torch module around which sentences become numbers and numbers mentions.

    Examples are made once and kept; a long sentence may become several. `size` is what batches are ordered by.
    """

    tags: TagSet

    def examples(self, sentences: Sequence[Sentence]) -> list[Any]:
        """Training examples of sentences with their gold mentions, in order.

        Raises:
            InputError: a label that the network does not have.
        """
        ...

    def size(self, example: Any) -> int:
        """How many positions an example takes in a batch."""
        ...

    def loss(self, batch: Sequence[Any]) -> Loss:
        """The loss of a batch of examples."""
        ...

    def predict(self, batch: Sequence[tuple[str, ...]]) -> list[Tagging]:
        """The mentions of token sequences, in order, in evaluation mode; the mode is put back at the end."""
        ...

    def groups(self) -> list[Group]:
        """All parameters that are trained."""
        ...

    def named_tensors(self) -> Iterator[tuple[str, Tensor]]:
        """Everything that a checkpoint holds: parameters and buffers, by name."""
        ...

    def train(self, mode: bool = True) -> Any:
        """Training mode, with dropout, or not."""
        ...

    def to(self, device: str) -> Any:
        """Move it."""
        ...

    def save(self, folder: Path) -> None:
        """Write what `native:DIR` reads: safetensors and JSON, never pickle."""
        ...

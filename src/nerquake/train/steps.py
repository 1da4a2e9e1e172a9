"""Steps of an optimiser: rates that rise and fall, and gradients that are cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from nerquake.nn.network import Group
from nerquake.train.recipe import Schedule

MOMENTUM = 0.9
HALVED = 0.5


class Stepper:
    """An optimiser with its schedule. The rate is a function of the step, but for `plateau`, which looks at scores."""

    def __init__(self, groups: Sequence[Group], schedule: Schedule, steps: int) -> None:
        self.schedule, self.steps = schedule, max(steps, 1)
        self.taken, self.plateau = 0, 1.0
        self.factors = [group.factor for group in groups]
        self.parameters = [parameter for group in groups for parameter in group.parameters]
        self.optimiser = _optimiser(groups, schedule)

    @property
    def rate(self) -> float:
        """The learning rate of the next step."""
        warm = self.schedule.warmup * self.steps
        if self.taken < warm:
            return self.schedule.lr * (self.taken + 1) / (warm + 1)
        if self.schedule.decay == "linear":
            return self.schedule.lr * max(self.steps - self.taken, 0) / max(self.steps - warm, 1)
        return self.schedule.lr * self.plateau

    def step(self, number: int) -> None:
        """Take a step along the gathered gradients, divided by `number`, and forget them."""
        for parameter in self.parameters:
            if parameter.grad is not None:
                parameter.grad.div_(number)
        if self.schedule.clip:
            torch.nn.utils.clip_grad_norm_(self.parameters, self.schedule.clip)
        for group, factor in zip(self.optimiser.param_groups, self.factors, strict=True):
            group["lr"] = self.rate * factor
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.taken += 1

    def end_epoch(self, worse: int, patience: int) -> None:
        """Halve the rate where scores have not become better for half the patience."""
        half = max(patience // 2, 1)
        if self.schedule.decay == "plateau" and worse and worse % half == 0:
            self.plateau *= HALVED


def _optimiser(groups: Sequence[Group], schedule: Schedule) -> Any:
    if schedule.optimiser == "sgd":
        plain = [{"params": group.parameters} for group in groups]
        return torch.optim.SGD(plain, lr=schedule.lr, momentum=MOMENTUM)
    decayed = schedule.optimiser == "adamw"
    given: list[dict[str, Any]] = [
        {"params": group.parameters, "weight_decay": schedule.weight_decay if decayed and group.decay else 0.0}
        for group in groups
    ]
    return torch.optim.AdamW(given, lr=schedule.lr)

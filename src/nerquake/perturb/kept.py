"""An attacked set from a work folder: the finished one of an earlier run, or made, from where a killed run stopped."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import NamedTuple

from nerquake.core.variant import AttackedSet
from nerquake.io.work import Asked, WorkFolder
from nerquake.perturb.proposing import Progress
from nerquake.perturb.run import attack

Watch = Callable[[int, str], AbstractContextManager[Progress | None]]


class Finished(NamedTuple):
    """An attacked set, and whether it was made just now: then it is to be kept."""

    attacked: AttackedSet
    fresh: bool


def finished_set(asked: Asked, work: WorkFolder, sample: frozenset[str] | None, jobs: int, watch: Watch) -> Finished:
    """The set that was asked for. It is not written: whoever asks does so once it may stay (`keep_variants`).

    sample   ids of the sentences to attack, None for all
    watch    called with the number of sentences and what is being done; gives a function that is told of those done
    """
    found = work.variants(asked)
    if found is not None:
        return Finished(found, False)
    what = f"attacking with {asked.chain.name}"
    with watch(len(asked.dataset), what) as step, work.unfinished(asked) as kept:
        made = attack(
            asked.dataset,
            asked.chain,
            asked.seed,
            jobs=jobs,
            sample=sample,
            rules=asked.rules,
            kept=kept,
            progress=step,
        )
    return Finished(made, True)

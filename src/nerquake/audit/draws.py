"""Further draws of an audit's attacks, each with a seed of its own (`--draws`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nerquake.analyse.curves import named
from nerquake.core.errors import UsageError
from nerquake.core.spec import Chain


class Draw(NamedTuple):
    """One more draw of an attack.

    of     the attack's name; its own set is the first draw
    chain  the attack under a name of its own
    """

    of: str
    chain: Chain
    seed: int


def further_draws(chains: Sequence[Chain], draws: int, seed: int) -> tuple[Draw, ...]:
    """The draws behind the first of every attack: seeds `seed` + 1 and so on.

    Raises:
        UsageError: one draw alone, or a set would have the name of another.
    """
    if not draws:
        return ()
    if draws == 1:
        raise UsageError("--draws 1 is the attack itself; what survives shows with 2 draws or more")
    taken = {chain.name.casefold() for chain in chains}
    made = []
    for chain in chains:
        for number in range(1, draws):
            draw = Draw(chain.name, named(chain, f"{chain.name}.draw{number + 1}"), seed + number)
            if draw.chain.name.casefold() in taken:
                raise UsageError(f"--draws: a set is called {draw.chain.name} already; give the attack another name=")
            made.append(draw)
    return tuple(made)

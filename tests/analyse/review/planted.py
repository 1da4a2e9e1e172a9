"""Cases and decisions for reviews, made short."""

from __future__ import annotations

from nerquake.core.decisions import Choice, Decision, DecisionsFile
from nerquake.core.results import Case
from nerquake.core.span import Span


def case(parent: str, set_name: str = "swap", label: str = "PER", fell: bool = False, status: str = "changed") -> Case:
    """A sentence of two tokens whose only mention got another name; `fell` under the one model."""
    changed = status == "changed"
    span = (Span(0, 1, label),)
    return Case(
        set=set_name, parent=parent, id=f"{parent}~{set_name}", original=("Anna", "."),
        attacked=("Bert" if changed else "Anna", "."), original_spans=span, attacked_spans=span, edits=(),
        mentions=(0,), predicted={"m": (span, () if fell else span)}, fell={"m": (0,) if fell else ()}, rose={"m": ()},
        status=status,  # type: ignore[arg-type]
    )  # fmt: skip


def cases(set_name: str, fell: dict[str, int], held: dict[str, int]) -> list[Case]:
    """So many sentences of each label that fell and that held."""
    return [
        case(f"{side}{label}{number}", set_name, label, side == "f")
        for side, counts in (("f", fell), ("h", held))
        for label, count in counts.items()
        for number in range(count)
    ]


def decided(
    name: str, choices: dict[str, Choice], undecided: tuple[str, ...] | None = (), **rest: object
) -> DecisionsFile:
    """A reviewer's file."""
    made = {key: Decision(key, choice, reviewer=name) for key, choice in choices.items()}
    return DecisionsFile(f"{name}.jsonl", name, len(made) + len(undecided or ()), made, undecided=undecided, **rest)  # type: ignore[arg-type]

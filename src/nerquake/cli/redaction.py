"""`--redact`: where the stage files go, which hold the text, and the result without text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nerquake.cli.show import note
from nerquake.core.errors import UsageError

if TYPE_CHECKING:
    from nerquake.core.results import AuditResult

GATE_FILES = ("gate.json", "junit.xml", "summary.md")


def work_folder(output: Path, work: str, redact: bool) -> Path:
    """The folder of the stage files; with `--redact` it is beside the output folder, never inside it.

    Raises:
        UsageError: it would be inside, or the output folder holds stage files of an earlier run.
    """
    if not redact:
        return Path(work) if work else output / "work"
    chosen = Path(work) if work else output.with_name(f"{output.resolve().name}-work")
    inside, outside = output.resolve(), chosen.resolve()
    if outside == inside or inside in outside.parents:
        raise UsageError(
            f"--work {chosen} is inside {output}: stage files hold the text of the data, which --redact keeps out of"
            f" {output}; name a folder outside it, or leave --work out to have {inside.name}-work beside it"
        )
    if (output / "work").exists():
        raise UsageError(
            f"{output / 'work'} holds stage files with the text of the data, which --redact keeps out of {output}; move"
            f" it (and name it with --work to go on from it), or write into another folder with -o"
        )
    return chosen


def redacted_for(output: Path, result: AuditResult, gate: bool) -> AuditResult:
    """The result without text; warns of files of an earlier run that stay in the output folder.

    gate  whether a gate is going to write its files anew
    """
    from nerquake.core.redact import redacted

    stale = [name for name in GATE_FILES if not gate and (output / name).exists()]
    if stale:
        note(f"{', '.join(stale)} in {output} are of an earlier run and are not redacted by this one")
    return redacted(result)

"""What can go wrong, as one tree.

```
NerquakeError                 a user can mend it; `exit_code` is what the command ends with
├── UsageError                the command line, a specification or an option is wrong
│   ├── SpecError             a specification does not follow the grammar or has a wrong option
│   ├── UnknownName           no plug-in, label set or pipeline has this name
│   └── MissingExtra          a library that this needs is not installed
├── InputError                a file cannot be read as what it should be
│   ├── FormatError           one or more problems, each with its line
│   ├── TokensDiffer          gold and predictions are about different sentences or tokens
│   └── LabelsDiffer          a model or file uses labels that the gold set does not have
├── OutputError               a result cannot be written; nothing half-written is left
├── ServerError               a model's server refuses, cannot be reached, or keeps failing
└── PluginError               a plug-in broke its protocol
EditError                     a perturbation proposed an edit that would damage a mention (a bug in it)
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a file. `line` counts from 1; 0 stands for the file as a whole."""

    code: str
    line: int
    message: str
    token: str = ""
    hint: str = ""

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line else ""
        token = f" at {self.token!r}" if self.token else ""
        hint = f" ({self.hint})" if self.hint else ""
        return f"{place}{self.message}{token}{hint} [{self.code}]"


class NerquakeError(Exception):
    """Base of every error that a user can mend."""

    exit_code = 2


class UsageError(NerquakeError):
    """The command line, a specification or an option is wrong."""


class SpecError(UsageError):
    """A specification does not follow the grammar, or has an option its plug-in does not know."""


class UnknownName(UsageError):
    """No plug-in, label set or pipeline has this name."""

    def __init__(self, kind: str, name: str, known: Sequence[str], hint: str = "") -> None:
        self.kind, self.name, self.known = kind, name, tuple(known)
        near = get_close_matches(name, known, n=3)
        meant = f" Did you mean {' or '.join(near)}?" if near else ""
        listed = f" There are: {', '.join(known)}." if known else " There are none."
        super().__init__(f"no {kind} is called {name!r}.{meant}{listed}{' ' + hint if hint else ''}")


class MissingExtra(UsageError):
    """A library that this plug-in needs is not installed."""

    def __init__(self, what: str, library: str, extra: str) -> None:
        self.what, self.library, self.extra = what, library, extra
        super().__init__(f'{what} needs {library}, which is not installed: pip install "nerquake[{extra}]"')


class InputError(NerquakeError):
    """A file cannot be read as what it should be."""


class FormatError(InputError):
    """One or more problems in a file, all of them listed."""

    SHOWN = 20

    def __init__(self, file: str, problems: Sequence[Problem], advice: str = "") -> None:
        self.file, self.problems, self.advice = file, tuple(problems), advice
        super().__init__(self._text())

    def _text(self) -> str:
        count = len(self.problems)
        head = f"{self.file}: {count} problem{'s' if count != 1 else ''}"
        lines = [f"  {problem}" for problem in self.problems[: self.SHOWN]]
        if count > self.SHOWN:
            lines.append(f"  and {count - self.SHOWN} more; `nerquake validate {self.file}` lists them all")
        if self.advice:
            lines.append(self.advice)
        return "\n".join([head, *lines])


class TokensDiffer(InputError):
    """Gold and predictions are about different sentences or tokens."""


class LabelsDiffer(InputError):
    """A model or a file uses labels that the gold set does not have."""


class OutputError(NerquakeError):
    """A result cannot be written; nothing half-written is left behind."""


class ServerError(NerquakeError):
    """A model's server refuses, cannot be reached, or keeps failing."""


class PluginError(NerquakeError):
    """A plug-in broke its protocol."""


@contextmanager
def guarded(what: str) -> Iterator[None]:
    """Whatever a plug-in raises in here becomes a PluginError that says whose fault it is and where.

    what   the plug-in and what it was doing, such as "shout, sentence s3"
    """
    try:
        yield
    except (NerquakeError, EditError):
        raise
    except Exception as error:
        raise PluginError(f"{what}: {type(error).__name__}: {error} (--debug shows where)") from error


class EditError(Exception):
    """A perturbation proposed an edit that would damage a mention: a bug in that perturbation."""

"""What is taken from a Wikidata dump."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nerquake.core.errors import UsageError
from nerquake.knowledge.ids import is_wikidata
from nerquake.knowledge.text import ANY

INSTANCE, SUBCLASS, COUNTRY = "P31", "P279", "P17"
DENIED: Mapping[str, str] = {
    "Q13442814": "scholarly article",
    "Q4167836": "category",
    "Q4167410": "disambiguation page",
    "Q11266439": "template",
    "Q13406463": "list",
}
"""Classes whose items are left out by default: no entities that a text mentions, and half of the dump."""
_LANGUAGE = re.compile(r"[a-z]{2,12}(?:-[a-z0-9]{2,12}){0,3}", re.ASCII)


@dataclass(frozen=True, slots=True)
class DumpOptions:
    """What is taken from a dump, and how it is cut.

    languages     of labels and aliases, and of the Wikipedias whose titles are kept; `mul`, the language of Wikidata's
                  default names, is always kept too
    descriptions  whether descriptions in these languages are kept
    deny          items with one of these direct classes are left out; () keeps them all
    chunk         bytes of the source that make a shard; 0: what suits its kind
    """

    languages: tuple[str, ...] = ("en", "de", "hi")
    descriptions: bool = False
    deny: tuple[str, ...] = tuple(DENIED)
    chunk: int = 0

    def __post_init__(self) -> None:
        wrong = [code for code in self.languages if not _LANGUAGE.fullmatch(code)]
        if wrong or not self.languages:
            named = ", ".join(map(repr, wrong)) or "no language"
            raise UsageError(f"{named}: languages are codes as Wikidata writes them, such as en, de or zh-hant")
        if twice := sorted({code for code in self.languages if self.languages.count(code) > 1}):
            raise UsageError(f"the language {twice[0]} is named twice")
        if wrong := [text for text in self.deny if not is_wikidata(text)]:
            raise UsageError(f"{wrong[0]!r} is no class of Wikidata: expected an id such as Q13442814")
        if self.chunk < 0:
            raise UsageError(f"a shard of {self.chunk} bytes of the dump cannot be: name a positive number")

    @property
    def codes(self) -> tuple[str, ...]:
        """The language codes of names that are kept, sorted, so that their order makes no difference."""
        return tuple(sorted({*self.languages, ANY}))

    @property
    def wikis(self) -> dict[str, str]:
        """The Wikipedias whose titles are kept: their names in sitelinks, and their languages."""
        return {f"{code.replace('-', '_')}wiki": code for code in self.codes if code != ANY}

    def record(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "languages": list(self.codes),
            "descriptions": self.descriptions,
            "properties": [INSTANCE, SUBCLASS, COUNTRY],
            "deny": sorted(self.deny),
        }

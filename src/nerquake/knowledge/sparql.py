"""The builder of dictionaries from a SPARQL endpoint with Wikidata's data. It runs only where it is named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from nerquake.core.errors import InputError
from nerquake.core.options import positional
from nerquake.knowledge.draft import Draft
from nerquake.knowledge.dump_options import DumpOptions
from nerquake.knowledge.ids import is_wikidata, order_of
from nerquake.knowledge.meta import Filter, Source
from nerquake.knowledge.sparql_cache import Answers
from nerquake.knowledge.sparql_client import Endpoint, Row, check_agent, check_endpoint
from nerquake.knowledge.sparql_queries import classes_of, facts_of, items_of, names_of
from nerquake.knowledge.text import ANY, storable

BUILDER = "sparql"
CACHE = "sparql-answers"
"""The folder for answers where none is named."""
_ENTITY = "http://www.wikidata.org/entity/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sparql:
    """Direct instances of some classes, asked of a SPARQL endpoint in small queries.

    Answers are kept in a folder, whole ones only; a run that stopped goes on from there, and one that is finished asks
    nothing. Empty the folder to ask anew. Classes of the instances that are not named come along with what instances
    these have in common; name types come from root classes.

    endpoint   its address, such as https://query.wikidata.org/sparql
    agent      an e-mail address or web page by which the endpoint's keepers can reach you; it is sent with every query
    classes    Q515|Q6256
    languages  of labels, aliases and Wikipedia titles; default names (`mul`) are kept too
    limit      how many instances of a class are asked for, the first in the order of ids; 0: all
    page       instances a query
    cache      the folder for answers
    retries    further tries of a query after failures and answers that are not whole
    timeout    seconds for one answer
    patience   seconds to wait in all, for one query, when the server asks to
    """

    endpoint: str = positional()
    agent: str = ""
    classes: tuple[str, ...] = ()
    languages: tuple[str, ...] = ("en", "de", "hi")
    limit: int = 1000
    page: int = 200
    cache: str = CACHE
    retries: int = 4
    timeout: float = 90.0
    patience: float = 600.0

    def __post_init__(self) -> None:
        check_endpoint(self.endpoint)
        check_agent(self.agent)
        if not self.classes:
            raise ValueError("it needs classes, such as classes=Q515|Q6256")
        if wrong := [one for one in self.classes if not is_wikidata(one)]:
            raise ValueError(f"{wrong[0]!r} is no class of Wikidata: expected an id such as Q515")
        DumpOptions(languages=self.languages)
        if self.limit < 0 or self.page < 1 or self.retries < 0 or self.timeout <= 0 or self.patience < 0:
            raise ValueError("page is at least 1, timeout above 0, limit, retries and patience are not negative")

    def fill(self, draft: Draft) -> Sequence[Source]:
        """Ask for everything that is not kept yet, and give it.

        Raises:
            InputError: an answer is none of SPARQL, or the endpoint does not page.
            ServerError: the endpoint refuses, cannot be reached, or keeps failing.
            OutputError: answers cannot be kept.
        """
        kept = f"The answers so far are kept in {self.cache}: the same command goes on from there"
        agent = f"nerquake/{_version()} ({self.agent})"
        endpoint = Endpoint(self.endpoint, agent, self.timeout, self.retries, self.patience, kept)
        asking = _Asking(self, draft, Answers(endpoint, Path(self.cache)))
        items = asking.items()
        asking.details(items)
        asking.classes()
        return [
            Source(
                BUILDER,
                version=f"{self.endpoint}, sha256 {asking.answers.digest.hexdigest()[:32]}",
                languages=self.spoken,
                properties=("P31", "P279", "P17"),
                attributions=("Wikidata (www.wikidata.org), CC0 1.0",),
                filters=tuple(Filter(name, counts) for name, counts in asking.left_out.items() if any(counts.values())),
            )
        ]

    @property
    def spoken(self) -> tuple[str, ...]:
        """The languages without `mul`."""
        return tuple(code for code in self.languages if code != ANY)

    @property
    def codes(self) -> tuple[str, ...]:
        """The languages of names that are asked for, sorted, so that their order makes no difference."""
        return tuple(sorted({*self.languages, ANY}))


@dataclass(slots=True)
class _Asking:
    """One run: what was seen so far, and what was left out."""

    options: Sparql
    draft: Draft
    answers: Answers
    seen: set[str] = field(default_factory=set)
    left_out: dict[str, dict[str, int]] = field(default_factory=dict)

    def items(self) -> list[str]:
        """The instances of all classes."""
        found: set[str] = set()
        for class_id in sorted(set(self.options.classes), key=order_of):
            self.seen.add(class_id)
            items = list(self._of_class(class_id))
            limit = self.options.limit
            if limit and len(items) >= limit:
                self._leave_out(f"limit={limit}, classes that may have more", class_id)
            for item in items:
                self.draft.member(item, class_id)
            found.update(items)
        return sorted(found, key=order_of)

    def _of_class(self, class_id: str) -> Iterator[str]:
        """The instances of a class, page by page, up to an empty one: servers may cut pages short."""
        limit, offset = self.options.limit, 0
        known: set[str] = set()
        while not limit or offset < limit:
            page = min(self.options.page, limit - offset) if limit else self.options.page
            rows = self.answers.rows(items_of(class_id, page, offset))
            if not rows:
                return
            new = [item for row in rows if (item := self._entity(row, "item")) and item not in known]
            if not new and offset:
                raise InputError(f"{self.options.endpoint}: the same instances of {class_id} come again and again: "
                                 "this endpoint does not page")  # fmt: skip
            known.update(new)
            yield from new
            offset += len(rows)

    def details(self, items: Sequence[str]) -> None:
        """Names and facts of items."""
        for page in self._pages(items):
            for row in self.answers.rows(names_of(page, self.options.codes)):
                self._name(row)
            for row in self.answers.rows(facts_of(page, self.options.spoken)):
                self._fact(row)

    def _name(self, row: Row) -> None:
        item, what, value = self._entity(row, "item"), _text(row, "what"), _text(row, "value")
        language = row.get("value", {}).get("xml:lang", "")
        if item and self._usable(item, value) and language in self.options.codes:
            self.draft.name(item, language, value, alias=what == "alias")

    def _fact(self, row: Row) -> None:
        item, what, value = self._entity(row, "item"), _text(row, "what"), _text(row, "value")
        if not item:
            return
        if what in ("P31", "P17"):
            target = self._entity(row, "value")
            if target and what == "P31":
                self.seen.add(target)
                self.draft.member(item, target)
            elif target:
                self.draft.country(item, target)
        elif what == "sitelinks" and value.isdecimal():
            self.draft.item(item, int(value[:9]))
        elif what == "title" and self._usable(item, value):
            self.draft.title(item, row.get("value", {}).get("xml:lang", ""), value)

    def classes(self) -> None:
        """Titles of the classes, and everything above them, level by level until nothing is new."""
        level, titled = sorted(self.seen, key=order_of), set(self.seen)
        while level:
            above: set[str] = set()
            for page in self._pages(level):
                for row in self.answers.rows(classes_of(page, self.options.codes)):
                    class_id, value = self._entity(row, "item"), _text(row, "value")
                    if class_id and _text(row, "what") == "P279":
                        if parent := self._entity(row, "value"):
                            self.draft.subclass(class_id, parent)
                            above.add(parent)
                    elif class_id in titled and self._usable(class_id, value):
                        self.draft.class_name(class_id, row["value"].get("xml:lang", ""), value)
            level = sorted(above - self.seen, key=order_of)
            self.seen.update(above)

    def _pages(self, items: Sequence[str]) -> Iterator[Sequence[str]]:
        size = self.options.page
        return (items[start : start + size] for start in range(0, len(items), size))

    def _entity(self, row: Row, variable: str) -> str:
        """The id of an item; empty where it is none: an unknown value, a lexeme."""
        value = _text(row, variable)
        found = value.removeprefix(_ENTITY)
        if value.startswith(_ENTITY) and is_wikidata(found):
            return found
        self._leave_out("no item", variable)
        return ""

    def _usable(self, item: str, value: str) -> bool:
        if value and storable(value):
            return True
        self.draft.fault(BUILDER, 0, "text", f"{item}: a text that is empty or that no database can hold: {value!r}")
        return False

    def _leave_out(self, rule: str, what: str) -> None:
        counts = self.left_out.setdefault(rule, {})
        counts[what] = counts.get(what, 0) + 1


def _text(row: Row, variable: str) -> str:
    return row.get(variable, {}).get("value", "")


def _version() -> str:
    try:
        return version("nerquake")
    except PackageNotFoundError:
        return "0"

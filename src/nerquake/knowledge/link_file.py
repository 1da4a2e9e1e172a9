"""Links that another program made, or that were looked through by hand, read from a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from nerquake.core.errors import InputError
from nerquake.core.linking import Link, LinkCandidate, Mentioned
from nerquake.core.options import positional
from nerquake.knowledge.link_lines import Place, json_lines, read_file, tsv_lines


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLinker:
    """Takes links from a file: link lines in JSON, or columns with TABs.

    A line of columns is the sentence's id, the first token, the token behind the last, and an item's id, the title of
    its Wikipedia article or the address of either; a score may follow. In JSON a candidate may have a title alone.

    path      the file
    language  of the Wikipedia that titles are from; by default the data set's
    """

    path: str = positional()
    language: str = ""

    def link(self, mentions: Sequence[Mentioned]) -> list[tuple[LinkCandidate, ...]]:
        """Each mention's link.

        Raises:
            InputError: the file cannot be read, or is about other mentions.
            FormatError: lines that are no links, all of them listed.
        """
        links = self._links()
        found = [links.get(_place(mention)) for mention in mentions]
        if links and mentions and not any(found):
            first = next(iter(links))
            raise InputError(
                f"{self.path}: none of {len(links):,} lines is about a mention of the data set, whose first is "
                f"{_place(mentions[0])}, the file's {first}: sentence ids and token offsets are to be the data set's"
            )
        return [() if link is None else self._candidates(link) for link in found]

    def noted(self, mentions: Sequence[Mentioned]) -> tuple[str, ...]:
        """Mentions and lines that did not find each other."""
        lines, places = set(self._links()), {_place(mention) for mention in mentions}
        said = ((places - lines, "mentions have no line in"), (lines - places, "lines are about no mention:"))
        return tuple(f"{len(found):,} {what} {self.path}" for found, what in said if found)

    def about(self) -> tuple[str, ...]:
        """Which file."""
        return (f"file: links from {self.path}",)

    def fingerprint(self) -> str:
        """The file's content."""
        return f"file {sha256(read_file(self.path)).hexdigest()} {self.language}"

    def _links(self) -> Mapping[Place, Link]:
        data = read_file(self.path, "it is to hold links, a line a mention")
        if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{":
            return json_lines(self.path, data, foreign=True)
        return tsv_lines(self.path, data)

    def _candidates(self, link: Link) -> tuple[LinkCandidate, ...]:
        """The link's candidates with the accepted one in front; none where none is accepted."""
        if link.accepted is None:
            return ()
        spoken = [one if one.language or one.item else one._replace(language=self.language) for one in link.candidates]
        first = next((one for one in spoken if one.item == link.accepted), LinkCandidate(link.accepted, score=1.0))
        return (first, *(one for one in spoken if one != first))


def _place(mention: Mentioned) -> Place:
    span = mention.sentence.spans[mention.index]
    return mention.sentence.id, span.start, span.end

"""CSV and TSV tables with a header, a row a token or a row a sentence, as pandas and spreadsheets write them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from nerquake.core.dataset import Dataset
from nerquake.core.protocols import ReadOptions
from nerquake.io.assemble import assemble
from nerquake.io.csv_columns import Columns, find_columns, whole_sentences
from nerquake.io.csv_read import SentenceRows, TokenRows
from nerquake.io.csv_rows import Dialect, Quote, choose_dialect, read_rows
from nerquake.io.csv_write import Chosen, write
from nerquake.io.file_format import FileFormat
from nerquake.io.files import UNREADABLE, base_name, decode, fingerprint
from nerquake.io.tags import Examined

_DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t"}


@dataclass(frozen=True, slots=True)
class Csv(FileFormat):
    """Reads and writes tables with a header: a row a token, or a row a sentence with lists in its cells.

    Cells are texts, whatever they look like: `NA`, `Null` and numbers stay as they are. A sentence ends where the
    sentence's cell changes (an empty one repeats the one above), or at blank lines where there is no such column.
    Running numbers are no ids, unless the column's name ends in `id`. Lists are JSON, Python's, or parted by blanks.

    token, tag, sentence   names of the columns; by default those with a name in use for it
    rows                   "token", "sentence" or "auto": a row a sentence where cells list tags
    sep                    what parts cells
    quote                  "no": double quotes are plain text; "auto": in tables separated by TABs, only where all of
                           them stand as quotes
    encoding               what is read; what is written is UTF-8
    """

    token: str = ""
    tag: str = ""
    sentence: str = ""
    rows: Literal["auto", "token", "sentence"] = "auto"
    sep: Literal["comma", "semicolon", "tab"] = "comma"
    quote: Quote = "auto"
    encoding: str = "utf-8"

    name: ClassVar[str] = "csv"
    extension: ClassVar[str] = "csv"
    holds: ClassVar[frozenset[str]] = frozenset({"columns"})

    def examine(self, name: str, data: bytes, options: ReadOptions) -> Examined:
        """What can be read of a file's bytes, and all that is wrong in them.

        Raises:
            FormatError: the file is binary or empty.
        """
        decoded = decode(name, data, self.encoding, self.name)
        dialect = choose_dialect(decoded.text, _DELIMITERS[self.sep], self.quote)
        found = read_rows(decoded.text, dialect, UNREADABLE)
        problems = [*decoded.problems, *found.problems]
        if not found.rows:
            return assemble(name, Dataset(name, ()), [], options, problems)
        head, *rows = found.rows
        whole = self.rows == "sentence" or (self.rows == "auto" and whole_sentences(head.cells, rows, self.tag))
        columns = find_columns(head.cells, (self.token, self.tag, self.sentence), whole, head.line)
        if not isinstance(columns, Columns):
            return Examined(name, None, (*problems, *columns))
        reading = (SentenceRows if whole else TokenRows)(head.cells, columns, dialect)
        reading.read(rows)
        layout = reading.layout(found.after, decoded, (*head.before, head.raw))
        empty = Dataset(base_name(name), (), reader=self.spec, fingerprint=fingerprint(data), layout=layout)
        empty = replace(empty, notes=(*decoded.notes, *reading.notes()))
        return assemble(name, empty, reading.found, options, [*problems, *reading.problems])

    def lines(self, dataset: Dataset) -> Iterator[str]:
        """The file's text in pieces; as it was read, except a byte order mark and line ends.

        Raises:
            OutputError: a token, label, cell or id that the format cannot hold; names the sentence.
        """
        chosen = Chosen(self.token, self.tag, self.sentence, None if self.rows == "auto" else self.rows == "sentence")
        return write(dataset, Dialect(_DELIMITERS[self.sep], self.quote != "no"), chosen)


@dataclass(frozen=True, slots=True)
class Tsv(Csv):
    """The same with TABs between cells.

    token, tag, sentence   names of the columns; by default those with a name in use for it
    rows                   "token", "sentence" or "auto": a row a sentence where cells list tags
    sep                    what parts cells
    quote                  "no": double quotes are plain text; "auto": only where all of them stand as quotes
    encoding               what is read; what is written is UTF-8
    """

    sep: Literal["comma", "semicolon", "tab"] = "tab"

    name: ClassVar[str] = "tsv"
    extension: ClassVar[str] = "tsv"

"""What is lost when a data set is written in another format."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from nerquake.core.dataset import Dataset
from nerquake.core.protocols import Writer
from nerquake.core.sentence import Sentence
from nerquake.core.spec import parse_spec
from nerquake.io.brat import Brat
from nerquake.io.file_format import FileFormat
from nerquake.io.load import writer_for
from nerquake.io.standoff import Standoff
from nerquake.io.standoff_marks import StandoffFile, marks_of
from nerquake.registry import READERS

_HELD: tuple[tuple[str, str, Callable[[Sentence], bool]], ...] = (
    ("spaces", "spacing: whether a blank follows a token", lambda s: s.spaces is not None and not all(s.spaces[:-1])),
    ("documents", "documents", lambda s: s.doc_id is not None),
    ("columns", "other columns", lambda s: any(s.columns)),
    ("meta", "meta data", lambda s: bool(s.meta)),
)
_SAID = frozenset({"id", "text", "data", "tokens", "spans", "label", "labels", "entities", "annotations", "completions",
                   "predictions", "meta", "token_offsets", "sentence_ids", "relations", "paragraphs_of"})  # fmt: skip
"""Fields of records whose content a sentence holds, or which reading has spoken of."""


def losses(dataset: Dataset, target: str = "", path: str = "") -> list[str]:
    """What of a data set the target cannot hold, in words with the number of sentences; empty where nothing is lost.

    target   specification of the format; empty: by the ending of `path`, as for `save`

    Raises:
        UsageError: there is no such format, or it cannot be written.
        OutputError: brat cannot name a document.
    """
    writer = writer_for(dataset, target, path)
    return [
        f"{count:,} sentence{'' if count == 1 else 's'}: {what}" for what, count in _counted(dataset, writer) if count
    ]


def _counted(dataset: Dataset, writer: Writer) -> Iterator[tuple[str, int]]:
    if not isinstance(writer, FileFormat):
        return  # a format of somebody else's does not say what it holds
    name = writer.name
    same = bool(dataset.reader) and parse_spec(dataset.reader, READERS.names()).name == name
    for key, what, has in _HELD:
        if key not in writer.holds and not same:
            yield f"{name} has no place for {what}", sum(map(has, dataset.sentences))
    if not writer.keeps_ids:
        yield f"{name} has no place for their ids", sum(not sentence.hashed for sentence in dataset.sentences)
    moved = writer.moved(dataset) if isinstance(writer, Brat) else 0
    yield f"{name} reads documents in the order of their names, which is another one", moved
    file = dataset.layout
    if not isinstance(file, StandoffFile):
        return
    if not isinstance(writer, Standoff):
        odd = sum(_is_oddly_spaced(sentence, file) for sentence in dataset.sentences)
        yield f"{name} has no place for blanks other than one between tokens (tabs, line ends, several)", odd
    if file.format != name:
        fields: dict[str, int] = {}
        for sentence in dataset.sentences:
            for field in _other_fields(sentence, file):
                fields[field] = fields.get(field, 0) + 1
        listed = ", ".join(sorted(fields))
        yield f"{name} has no place for the other fields of {file.format} ({listed})", max(fields.values(), default=0)


def _is_oddly_spaced(sentence: Sentence, file: StandoffFile) -> bool:
    marks = marks_of(sentence, file)
    return bool(marks.lead.strip("\n") or marks.tail.strip("\r\n ")) or any(gap not in ("", " ") for gap in marks.gaps)


def _other_fields(sentence: Sentence, file: StandoffFile) -> set[str]:
    rest = marks_of(sentence, file).rest
    if not isinstance(rest, dict):
        return set()
    record = rest.get("task", rest)
    return {field for field, value in record.items() if value is not None and field not in _SAID}

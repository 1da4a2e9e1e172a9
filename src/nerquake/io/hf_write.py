"""From a data set to JSON Lines or Parquet that the library `datasets` reads."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nerquake.core.dataset import Dataset, FileLayout
from nerquake.core.errors import MissingExtra, OutputError
from nerquake.core.scheme import OUTSIDE
from nerquake.core.sentence import NEW_CELL
from nerquake.io.borders import is_blank
from nerquake.io.records import dump
from nerquake.io.tags import written_scheme


@dataclass(frozen=True, slots=True)
class HfFile(FileLayout):
    """The layout of a data set.

    features   names of the features of tokens, tags and ids ("" for none), and of the lists in the columns
    numbers    the tags of class labels
    """

    features: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()


def write(dataset: Dataset, tokens: str, tags: str, key: str) -> Iterator[str]:
    """The text of the file, one record a sentence.

    Raises:
        OutputError: a token or what is known of a sentence that the format cannot hold; names the sentence.
    """
    file = dataset.layout if isinstance(dataset.layout, HfFile) else None
    start = ""
    for sentence, record in zip(dataset.sentences, records(dataset, tokens, tags, key), strict=True):
        raw = sentence.layout.raw if file is not None and sentence.layout is not None else ""
        yield start + (raw if file is not None and raw and _says(raw, record, file) else dump(record))
        start = "\n"
    yield file.after if file else "\n"


def records(dataset: Dataset, tokens: str, tags: str, key: str) -> Iterator[dict[str, Any]]:
    """What is written of each sentence."""
    file = dataset.layout if isinstance(dataset.layout, HfFile) else None
    width = max((len(s.columns[0]) for s in dataset.sentences if s.columns), default=0)
    lists = [f"column{at}" for at in range(1, width + 1)]
    if file is not None:
        tokens, tags, own, *lists = file.features
        key = own or key
    scheme, _ = written_scheme(dataset)
    for sentence in dataset.sentences:
        if any(map(is_blank, sentence.tokens)):
            raise OutputError(f"sentence {sentence.id!r} has an empty token, which no data set should hold")
        record: dict[str, Any] = {} if sentence.hashed else {key: sentence.id}
        record[tokens] = list(sentence.tokens)
        record[tags] = scheme.encode(sentence.spans, len(sentence.tokens))
        rests = sentence.columns or ((NEW_CELL,) * len(lists),) * len(sentence.tokens)
        record |= {name: [rest[at] if at < len(rest) else NEW_CELL for rest in rests] for at, name in enumerate(lists)}
        clash = [name for name, _ in sentence.meta if name in (key, tokens, tags, *lists)]
        if clash or len(dict(sentence.meta)) != len(sentence.meta):
            what = f"what is known of it, {dict(sentence.meta)},"
            raise OutputError(f"sentence {sentence.id!r}: {what} has names that other features have")
        yield record | dict(sentence.meta)


def _says(raw: str, record: Mapping[str, Any], file: HfFile) -> bool:
    """Whether a record as it stood still says what is to be written; numbers stand for their tags."""
    data = json.loads(raw.rpartition("\n")[2])
    tokens, tags, key, *lists = file.features
    given = [file.numbers[tag] if isinstance(tag, int) else tag for tag in data[tags]]
    same_id = key not in record or str(data.get(key)) == record[key]
    texts = all([_text(cell) for cell in data[name]] == record[name] for name in lists)
    return same_id and data[tokens] == record[tokens] and given == record[tags] and texts


def _text(cell: Any) -> str:
    return cell if isinstance(cell, str) else repr(cell)


def parquet(dataset: Dataset, tokens: str, tags: str, key: str) -> bytes:
    """The bytes of a Parquet file whose tags are class labels.

    Raises:
        MissingExtra: pyarrow is not installed.
        OutputError: as `write`.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("writing Parquet", "datasets", "datasets") from None
    made = list(records(dataset, tokens, tags, key))
    tags = dataset.layout.features[1] if isinstance(dataset.layout, HfFile) else tags
    used = sorted({tag for record in made for tag in record[tags]} - {OUTSIDE}, key=lambda tag: (tag[2:], tag))
    labels = [OUTSIDE, *used]
    numbers = {tag: at for at, tag in enumerate(labels)}
    names = tuple(dict.fromkeys(name for record in made for name in record))
    columns: dict[str, Any] = {}
    features: dict[str, Any] = {}
    for name in names:
        values = [record.get(name) for record in made]
        nested = any(isinstance(value, list) for value in values)
        kind: dict[str, Any] = {"dtype": "string", "_type": "Value"}
        if name == tags:
            values = [[numbers[tag] for tag in record[name]] for record in made]
            kind = {"names": labels, "_type": "ClassLabel"}
        plain = pyarrow.int64() if name == tags else pyarrow.string()
        columns[name] = pyarrow.array(values, pyarrow.list_(plain) if nested else plain)
        features[name] = {"feature": kind, "_type": "Sequence"} if nested else kind
    table = pyarrow.table(columns)
    table = table.replace_schema_metadata({"huggingface": json.dumps({"info": {"features": features}})})
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(table, buffer)
    return buffer.getvalue()

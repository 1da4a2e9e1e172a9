"""`variants.jsonl`: an attacked set, sentence by sentence, with everything that was changed (docs/formats.md).

A line holds what the attack did. What follows from the original and the edits (other columns, blanks, meta data) is
left out and made again on reading; where it does not follow, the line says it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, MentionMap, Rewrite, Source, apply_edits, apply_rewrite
from nerquake.core.errors import EditError, InputError, OutputError
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import STATUSES, AttackedSet, Level, Variant
from nerquake.io.output import write_whole
from nerquake.io.records import Record, spans_json
from nerquake.io.stages import StageFile, StageKey, read_stage, stage_lines

FORMAT = "nerquake.variants/1"
_CARRIED = ("spaces", "doc_id", "columns", "meta", "source", "hashed")
"""Fields of the attacked sentence that follow from the original and the edits."""


def write_variants(path: str | Path, attacked: AttackedSet, dataset: Dataset, key: StageKey) -> None:
    """Write an attacked set of a data set.

    Raises:
        OutputError: it cannot be written.
    """
    header = {**key.header(FORMAT), "name": attacked.name, "level": attacked.level, "attack": attacked.spec}
    header |= {"notes": attacked.notes, "rejected": dict(attacked.rejected)}
    write_whole(path, stage_lines(header, _records(attacked, dataset)))


def _records(attacked: AttackedSet, dataset: Dataset) -> Iterator[dict[str, Any]]:
    originals = {sentence.id: sentence for sentence in dataset.sentences}
    for variant in attacked.variants:
        if variant.parent not in originals:
            raise OutputError(f"the variant {variant.id!r} is of {variant.parent!r}, which is not in {dataset.name}")
        yield variant_record(variant, originals[variant.parent])


def variant_record(variant: Variant, original: Sentence) -> dict[str, Any]:
    """A variant as JSON values, docs/formats.md."""
    sentence = variant.sentence
    record: dict[str, Any] = {
        "id": sentence.id,
        "parent": variant.parent,
        "status": variant.status,
        "reason": variant.reason,
        "tokens": sentence.tokens,
        "spans": spans_json(sentence.spans),
        "edits": [edit_record(edit, original) for edit in variant.edits],
        "mentions": [[old, new] for old, new in enumerate(variant.mentions)],
        "attackable": variant.attackable,
        "replaced": variant.replaced,
    }
    if variant.rewrite is not None:
        record["rewrite"] = _rewrite_record(variant)
    made = _remake(variant, original)
    for name in _CARRIED:
        value = getattr(sentence, name)
        if made is None or getattr(made, name) != value:
            record[name] = value
    return record


def edit_record(edit: Edit, original: Sentence) -> dict[str, Any]:
    """An edit as JSON values; offsets and `old` are those of the original."""
    return {
        "start": edit.start,
        "end": edit.end,
        "old": original.tokens[edit.start : edit.end],
        "new": edit.new,
        "kind": edit.kind,
        **_source_record(edit.source),
    }


def _source_record(source: Source) -> dict[str, Any]:
    """Provenance as an object; where a name stands twice (two steps of a chain), as pairs too, in order."""
    pairs = dict(source)
    return {"source": pairs} if len(pairs) == len(source) else {"source": pairs, "sources": source}


def _rewrite_record(variant: Variant) -> dict[str, Any]:
    rewrite = variant.rewrite
    assert rewrite is not None
    record = _source_record(rewrite.source)
    if rewrite.tokens != variant.sentence.tokens or rewrite.spans != variant.sentence.spans:
        record |= {"tokens": rewrite.tokens, "spans": spans_json(rewrite.spans)}
    if rewrite.mentions != variant.mentions:
        record["mentions"] = rewrite.mentions
    return record


def _remake(variant: Variant, original: Sentence) -> Sentence | None:
    """The attacked sentence as reading will make it; None where edits and rewrite do not lead to it."""
    new_id = variant.sentence.id
    try:
        if variant.rewrite is not None:
            made = apply_rewrite(original, variant.rewrite, new_id).sentence
        elif variant.edits:
            made = apply_edits(original, variant.edits, new_id).sentence
        else:
            made = replace(original, id=new_id)
    except EditError:
        return None
    if (made.tokens, made.spans) != (variant.sentence.tokens, variant.sentence.spans):
        return None
    return replace(made, source=variant.parent)


def read_variants(path: str | Path, dataset: Dataset, key: StageKey | None = None) -> AttackedSet | None:
    """The attacked set of a data set; None where the file is not there, or was made from something else than `key`.

    Raises:
        InputError: the file is damaged, or does not fit the data set.
    """
    stage = read_stage(path, FORMAT, key)
    if stage is None:
        return None
    if key is None and stage.header.get("input") != dataset.fingerprint:
        raise InputError(f"{path} was made from another file than {dataset.name}: name the one it was made from")
    originals = {sentence.id: sentence for sentence in dataset.sentences}
    header = stage.header
    if header.get("level") not in get_args(Level):
        raise stage.damaged(1, f"there is no level {header.get('level')!r}")
    variants = tuple(_variant(stage, record, originals) for record in stage.records)
    if [variant.parent for variant in variants] != list(originals):
        raise stage.damaged(1, f"its sentences are not those of {dataset.name}")
    return AttackedSet(
        str(header["name"]),
        str(header["attack"]),
        header["level"],
        variants,
        tuple(header["notes"]),
        tuple(header.get("rejected", {}).items()),
    )


def _variant(stage: StageFile, record: Record, originals: Mapping[str, Sentence]) -> Variant:
    data = record.data
    try:
        return _built(data, originals[data["parent"]])
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, EditError) as error:
        what = f"{error} is missing or unknown" if isinstance(error, KeyError) else str(error)
        raise stage.damaged(record.number, what) from None


def _built(data: Mapping[str, Any], original: Sentence) -> Variant:
    if data["status"] not in STATUSES:
        raise ValueError(f"there is no status {data['status']!r}")
    edits = tuple(_edit(edit, original) for edit in data["edits"])
    mentions: MentionMap = tuple(new for _, new in data["mentions"])
    if len(mentions) != len(original.spans):
        raise ValueError(f"{len(mentions)} mentions are mapped, the original has {len(original.spans)}")
    bare = Sentence(data["id"], tuple(data["tokens"]), _spans(data["spans"]))
    variant = Variant(
        sentence=bare,
        parent=original.id,
        status=data["status"],
        reason=data["reason"],
        edits=edits,
        rewrite=_rewrite(data["rewrite"], bare, mentions) if "rewrite" in data else None,
        mentions=mentions,
        attackable=data["attackable"],
        replaced=data["replaced"],
    )
    made = _remake(variant, original) or bare
    said = {name: _tuples(data[name]) for name in _CARRIED if name in data}
    return replace(variant, sentence=replace(made, **said))


def _edit(data: Mapping[str, Any], original: Sentence) -> Edit:
    start, end = data["start"], data["end"]
    if list(original.tokens[start:end]) != data["old"]:
        raise ValueError(f"the original has other tokens at [{start}, {end}) than {data['old']}")
    if data["kind"] not in ("mention", "context"):
        raise ValueError(f"there is no kind of edit {data['kind']!r}")
    return Edit(start, end, tuple(data["new"]), data["kind"], _source(data))


def _source(data: Mapping[str, Any]) -> Source:
    pairs = data.get("sources", list(data["source"].items()))
    return tuple((name, text) for name, text in pairs)


def _rewrite(data: Mapping[str, Any], sentence: Sentence, mentions: MentionMap) -> Rewrite:
    return Rewrite(
        tokens=tuple(data.get("tokens", sentence.tokens)),
        spans=_spans(data["spans"]) if "spans" in data else sentence.spans,
        mentions=tuple(data.get("mentions", mentions)),
        source=_source(data),
    )


def _spans(data: Sequence[Sequence[Any]]) -> tuple[Span, ...]:
    return tuple(Span(*one) for one in data)


def _tuples(value: Any) -> Any:
    """JSON lists as tuples, all the way down."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value

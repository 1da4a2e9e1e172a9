"""`nerquake predict FILE -t SPEC`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from nerquake.cli.options import Settings, data_options, taggers_option
from nerquake.cli.progress import counting
from nerquake.cli.show import Cell, emit, note, to_csv, to_json
from nerquake.core.errors import UsageError
from nerquake.core.labels import JoinedLabels
from nerquake.core.protocols import Telling
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.tagging import run_tagger
from nerquake.core.variant import ORIGINAL

FORMAT = "nerquake.mentions/1"


@click.command()
@click.argument("file")
@taggers_option
@click.option("-o", "--output", default="", metavar="FILE", help="Write the tagged file here; - is standard output.")
@data_options
def command(file: str, taggers: Sequence[str], output: str, settings: Settings) -> None:
    """Tag a file with a model.

    With -o the file is written in its own format with predicted tags; without it the sentences are printed with the
    mentions in brackets, or listed with --format json or csv.
    """
    from nerquake.io.load import save
    from nerquake.taggers.build import build_taggers

    if len(taggers) != 1:
        raise UsageError("predict runs one tagger; call it once for each")
    gold = settings.sampled(file).dataset
    named = build_taggers(taggers, gold, settings.repair)[0]
    join = JoinedLabels.of(settings.rules, gold.labels, named.name)
    with counting(len(gold), f"tagging with {named.name}") as step:
        predictions = run_tagger(named, ORIGINAL, gold.sentences, join, step)
    tagged = gold.with_sentences(
        [sentence.with_spans(spans) for sentence, spans in zip(gold.sentences, predictions.spans, strict=True)]
    )
    for label, count in predictions.left_out.items():
        note(f"left out {count:,} {label}")
    if predictions.unseen_tokens:
        note(f"{named.name} did not see {predictions.unseen_tokens:,} tokens")
    for line in (*(named.tagger.about() if isinstance(named.tagger, Telling) else ()), *predictions.summary()):
        note(line)
    if output:
        for line in save(tagged, output, settings.input if output == "-" else ""):
            note(line)
    elif settings.format == "table":
        emit("".join(bracketed(sentence) + "\n" for sentence in tagged), "-")
    else:
        rows: list[list[Cell]] = [
            [s.id, span.start, span.end, span.label, s.surface(span)] for s in tagged for span in s.spans
        ]
        head = ["sentence", "start", "end", "label", "text"]
        listed = {
            "format": FORMAT,
            "tagger": named.name,
            "mentions": [dict(zip(head, row, strict=True)) for row in rows],
        }
        emit(to_json(listed) if settings.format == "json" else to_csv(head, rows), "-")


def bracketed(sentence: Sentence) -> str:
    """A sentence as text with its mentions as [tokens LABEL]."""
    return " ".join(_pieces(sentence.tokens, sentence.spans))


def _pieces(tokens: Sequence[str], spans: Sequence[Span]) -> Iterator[str]:
    at = 0
    for span in spans:
        yield from tokens[at : span.start]
        yield f"[{' '.join(tokens[span.start : span.end])} {span.label}]"
        at = span.end
    yield from tokens[at:]

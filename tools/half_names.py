"""Half of the names of the bundled English sample, drawn by seed: rules that know them, and a file to "train" on.

    python tools/half_names.py docs/examples

Writes half-names.tsv (for `rules:`) and half-names.conll (for `--train`), the same names in both.
"""

from __future__ import annotations

import sys
from pathlib import Path

from nerquake.core.labels import LabelRules, relabel
from nerquake.core.scheme import IOB2
from nerquake.core.seeds import hashed
from nerquake.core.span import Span
from nerquake.io.load import load


def files() -> dict[str, str]:
    """Both files' texts by name."""
    gold = relabel(load("sample:en"), LabelRules.parse("ontonotes-names", "", "drop")).dataset
    names = sorted({(span.label, sentence.mention(span)) for sentence in gold for span in sentence.spans})
    kept = [name for name in names if hashed(0, "half", *name[1]) % 2]
    lines: list[str] = []
    for label, tokens in kept:
        tags = IOB2.encode([Span(0, len(tokens), label)], len(tokens))
        lines += [*(f"{token}\t{tag}" for token, tag in zip(tokens, tags, strict=True)), ""]
    rules = "".join(f"{label}\t{' '.join(tokens)}\n" for label, tokens in kept)
    return {"half-names.tsv": rules, "half-names.conll": "\n".join(lines)}


if __name__ == "__main__":
    for name, text in files().items():
        (Path(sys.argv[1]) / name).write_text(text, "utf-8")

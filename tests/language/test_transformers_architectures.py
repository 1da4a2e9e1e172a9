"""Masked language models of many architectures, small and random: fills are those of the library called by hand."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.language.tiny_masked import bert_filler

from nerquake.core.fillers import Masked
from nerquake.language.transformers import TransformersFiller
from nerquake.models import means

pytestmark = [
    pytest.mark.usefixtures("huggingface_library"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of torch, when older transformers are imported
]
PLAIN = {
    "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 48,
    "max_position_embeddings": 66, "pad_token_id": 0,
}  # fmt: skip
CONFIGS: dict[str, dict[str, Any]] = {
    "bert": {},
    "roberta": {"bos_token_id": 2, "eos_token_id": 3},
    "xlm-roberta": {"bos_token_id": 2, "eos_token_id": 3},
    "camembert": {"bos_token_id": 2, "eos_token_id": 3},
    "distilbert": {"dim": 32, "n_layers": 2, "n_heads": 2, "hidden_dim": 48},
    "albert": {"embedding_size": 16},
    "electra": {"embedding_size": 16},
    "modernbert": {"cls_token_id": 2, "sep_token_id": 3, "bos_token_id": 2, "eos_token_id": 3},
    "deberta-v2": {"relative_attention": True, "pos_att_type": ["p2c", "c2p"]},
    "mpnet": {"bos_token_id": 2, "eos_token_id": 3},
}


@pytest.fixture(scope="module")
def tokenizer(huggingface_library: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a WordPiece tokenizer, and with a model that is of no use here."""
    return Path(bert_filler(tmp_path_factory.mktemp("tokenizer") / "m"))


def random_model(kind: str, tokenizer: Path, folder: Path) -> str:
    import torch
    from transformers import AutoConfig, AutoModelForMaskedLM, AutoTokenizer

    given = PLAIN | CONFIGS[kind]
    if kind == "distilbert":
        given = {key: value for key, value in given.items() if key not in PLAIN} | {"max_position_embeddings": 66}
    torch.manual_seed(1)
    config = AutoConfig.for_model(kind, vocab_size=len(AutoTokenizer.from_pretrained(tokenizer)), **given)
    shutil.copytree(tokenizer, folder)
    model = AutoModelForMaskedLM.from_config(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    model.save_pretrained(folder)
    return str(folder)


@pytest.mark.parametrize("kind", CONFIGS)
def test_the_head_of_each_is_found(kind: str, tokenizer: Path, tmp_path: Path) -> None:
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    folder = random_model(kind, tokenizer, tmp_path / "m")
    filler = TransformersFiller(folder, precision="fp32", device="cpu")
    texts = [("river", "x", "garden"), ("met", "window", "in", "bridge"), ("x",), ("river", "river", "garden", "a")]
    requests = [Masked(text, len(text) // 2) for text in texts]
    answers = filler.fill(requests, 10**6)
    assert filler._engine().model.gather is not None, "it runs its head at the masked place only"
    pieces, model = AutoTokenizer.from_pretrained(folder), AutoModelForMaskedLM.from_pretrained(folder).eval()
    for request, answer in zip(requests, answers, strict=True):
        words = list(request.tokens)
        words[request.position] = pieces.mask_token
        given = pieces([words], is_split_into_words=True, return_tensors="pt", return_token_type_ids=False)
        at = int((given["input_ids"][0] == pieces.mask_token_id).nonzero()[0])
        with torch.no_grad():
            expected = model(**given).logits[0, at]
        found = torch.empty(len(answer))
        found[torch.from_numpy(answer.numbers)] = torch.from_numpy(answer.scores)  # type: ignore[attr-defined]
        assert torch.allclose(found, expected, atol=1e-4)
        assert found.std() > 0.01


@pytest.mark.parametrize("kind", CONFIGS)
def test_each_runs_in_whole_numbers(kind: str, tokenizer: Path, tmp_path: Path) -> None:
    if not means.processor_has_int8():
        pytest.skip("this processor has no instructions for int8")
    filler = TransformersFiller(random_model(kind, tokenizer, tmp_path / "m"), precision="int8")
    requests = [Masked(("river", "x", "garden", "a"), 1), Masked(("met", "in"), 0)]
    answers = filler.fill(requests, 5)
    for request, answer in zip(requests, answers, strict=True):
        (alone,) = filler.fill([request], 5)
        assert [fill.score for fill in answer] == pytest.approx([fill.score for fill in alone], abs=filler.noise)

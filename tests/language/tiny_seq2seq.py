"""Tiny sequence-to-sequence models made on the fly, whose answers are known: words in another order, or other words.

A place of the answer looks, by attention across, at one place of the question; the piece that stands there is copied
and looked up: it stays, or others are said in its stead, the likeliest first. Everything around it is the real library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ENGLISH = ("Anna", "Bo", "met", "saw", "in", "Bonn", "New", "York", ".", "ENT1", "ENT2", "ENT3", "say:", "today", "and")
GERMAN = ("traf", "sah", "heute", "und", "zu")
SPECIAL = ("<pad>", "</s>", "<unk>", "<s>")
PLACES = 24
"""Pieces that the models take, the end included."""


def copier(
    folder: Path,
    says: Mapping[str, Sequence[str]] | None = None,
    order: Sequence[int] = (),
    *,
    words: Sequence[str] = (*ENGLISH, *GERMAN),
    places: int = PLACES,
    config: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
) -> str:
    """A BART model with a tokenizer of whole words; returns the folder's path.

    says      what a word becomes, likeliest first, each e times as likely as the next; without an entry it stays
    order     for the first places of the answer, which place of the question stands there; the others stay
    config    further entries of config.json
    settings  further entries of generation_config.json
    """
    from transformers import BartConfig, BartForConditionalGeneration

    vocab = list(dict.fromkeys((*SPECIAL, *words)))
    width = 2 * len(vocab) + places
    model = BartForConditionalGeneration(
        BartConfig(
            vocab_size=len(vocab), d_model=width, encoder_layers=1, decoder_layers=1, encoder_attention_heads=1,
            decoder_attention_heads=1, encoder_ffn_dim=4, decoder_ffn_dim=4, max_position_embeddings=places,
            tie_word_embeddings=False, pad_token_id=0, eos_token_id=1, bos_token_id=3, decoder_start_token_id=0,
            **(config or {}),
        )
    )  # fmt: skip
    _wire(model.model, len(vocab), [*order, *range(len(order), places)])
    _look_up(model, vocab, says or {})
    for name, value in {"forced_eos_token_id": 1, **(settings or {})}.items():
        setattr(model.generation_config, name, value)
    model.save_pretrained(folder)
    save_words(folder, vocab, places)
    return str(folder)


def save_words(folder: Path, vocab: Sequence[str], places: int) -> None:
    """A tokenizer with a piece for each word between blanks, and an end behind the last."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.WordLevel({word: at for at, word in enumerate(vocab)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", bos_token="<s>",
        model_max_length=places,
    ).save_pretrained(str(folder))  # fmt: skip


def _wire(model: Any, size: int, order: Sequence[int]) -> None:
    """One-hot pieces and places on both sides; the answer's places look for the question's and copy their pieces."""
    import torch

    places = len(order)
    piece, place, copied = torch.arange(size), size + torch.arange(places), size + places + torch.arange(size)
    with torch.no_grad():
        for side in (model.encoder, model.decoder):  # older versions load them apart where the head is apart
            side.embed_tokens.weight = torch.nn.Parameter(torch.empty_like(model.shared.weight))
        for embeddings in (model.shared, model.encoder.embed_tokens, model.decoder.embed_tokens):
            embeddings.weight.zero_()
            embeddings.weight[piece, piece] = 1.0
        for side in (model.encoder, model.decoder):
            side.embed_positions.weight.zero_()
            side.embed_positions.weight[2 + torch.arange(places), place] = 1.0
        encoder, decoder = model.encoder.layers[0], model.decoder.layers[0]
        across = decoder.encoder_attn
        silent = (encoder.self_attn.out_proj, encoder.fc2, decoder.self_attn.out_proj, decoder.fc2)
        for linear in (*silent, across.q_proj, across.k_proj, across.v_proj, across.out_proj):
            linear.weight.zero_()
            linear.bias.zero_()
        across.q_proj.weight[place[list(order)], place] = 4.0
        across.k_proj.weight[place, place] = 1.0
        across.v_proj.weight[copied, piece] = 1.0
        across.v_proj.bias[copied] = (2 / (2 * size + places - 2)) ** 0.5  # a layer norm puts zeros below zero
        across.out_proj.weight[copied, copied] = 1.0


def _look_up(model: Any, vocab: Sequence[str], says: Mapping[str, Sequence[str]]) -> None:
    import torch

    size, width = model.lm_head.weight.shape
    # A layer norm puts three ones among zeros this far above the zeros, and the zeros where they are.
    above, zero = width / (3 * (width - 3)) ** 0.5, -((3 / (width - 3)) ** 0.5)
    with torch.no_grad():
        weight = model.lm_head.weight.zero_()
        for at, word in enumerate(vocab):
            for rank, said in enumerate(says.get(word, [word])):
                weight[vocab.index(said), width - size + at] = (20.0 - rank) / above
        # What is not said comes far behind, in its own order, so that no two answers are equally likely.
        model.final_logits_bias.copy_((-zero * weight.sum(1) - torch.arange(size) / 16).unsqueeze(0))


def random_t5(folder: Path) -> str:
    """A T5 model whose weights are drawn; returns the folder's path."""
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    torch.manual_seed(1)
    vocab = [*SPECIAL, *ENGLISH]
    config = T5Config(vocab_size=len(vocab), d_model=16, d_kv=8, d_ff=16, num_layers=2, num_heads=2,
                      decoder_start_token_id=0, initializer_factor=2.0)  # fmt: skip
    T5ForConditionalGeneration(config).save_pretrained(folder)
    save_words(folder, vocab, 512)
    return str(folder)


def random_marian(folder: Path) -> str:
    """A Marian model whose weights are drawn; returns the folder's path."""
    import torch
    from transformers import MarianConfig, MarianMTModel

    torch.manual_seed(2)
    vocab = [*SPECIAL, *ENGLISH]
    config = MarianConfig(vocab_size=len(vocab), d_model=16, encoder_layers=1, decoder_layers=1, encoder_ffn_dim=16,
                          decoder_ffn_dim=16, encoder_attention_heads=2, decoder_attention_heads=2, pad_token_id=0,
                          eos_token_id=1, decoder_start_token_id=0, max_position_embeddings=64, init_std=0.5,
                          forced_eos_token_id=None)  # fmt: skip
    MarianMTModel(config).save_pretrained(folder)
    save_words(folder, vocab, 64)
    return str(folder)

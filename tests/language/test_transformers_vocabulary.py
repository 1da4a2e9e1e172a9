"""Vocabularies as text, over the kinds of tokenizers that masked language models have."""

from __future__ import annotations

from typing import Any

import pytest

from nerquake.language.transformers_vocabulary import tells_capitals, vocabulary_of

pytestmark = pytest.mark.usefixtures("huggingface_library")


def wrap(tokenizer: Any, **special: str) -> Any:
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special)


def read(tokenizer: Any, size: int = 0) -> dict[str, tuple[str, str]]:
    """By entry: its text and kind."""
    table = tokenizer.get_vocab()
    vocabulary = vocabulary_of(tokenizer, size or len(table))
    return {entry: (vocabulary.texts[at], vocabulary.kinds[at]) for entry, at in table.items()
            if at < len(vocabulary.texts)}  # fmt: skip


def test_word_pieces() -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers

    entries = ["[PAD]", "[UNK]", "[MASK]", "[unused7]", "Haus", "##haus", "##", "##ß", "घर", ".", "New York"]
    backend = Tokenizer(models.WordPiece({entry: at for at, entry in enumerate(entries)}, unk_token="[UNK]"))
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer = wrap(backend, mask_token="[MASK]", unk_token="[UNK]", pad_token="[PAD]")
    tokenizer.add_tokens(["COVID-19"])
    assert read(tokenizer) == {
        "[PAD]": ("[PAD]", "special"), "[UNK]": ("[UNK]", "special"), "[MASK]": ("[MASK]", "special"),
        "[unused7]": ("[unused7]", "special"), "Haus": ("Haus", "word"), "##haus": ("haus", "piece"),
        "##": ("##", "word"), "##ß": ("ß", "piece"), "घर": ("घर", "word"), ".": (".", "word"),
        "New York": ("New York", "word"), "COVID-19": ("COVID-19", "special"),
    }  # fmt: skip
    wider = vocabulary_of(tokenizer, 20)
    assert (wider.texts[-1], wider.kinds[-1]) == ("", "special")
    assert len(vocabulary_of(tokenizer, 5).texts) == 5


def test_bytes() -> None:
    """`Ã¼` are the two bytes of ü; a byte alone is no letter."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    splitter = pre_tokenizers.ByteLevel(add_prefix_space=True)
    written = {word: splitter.pre_tokenize_str(word)[0][0] for word in ("grün", "घर", "café")}
    entries = ["<mask>", *written.values(), "ing", "Ġ", "ĠĠ", "Ã", "ĠÃ", written["grün"][1:], "Ċ"]
    backend = Tokenizer(models.BPE({entry: at for at, entry in enumerate(entries)}, []))
    backend.pre_tokenizer, backend.decoder = splitter, decoders.ByteLevel()
    found = read(wrap(backend, mask_token="<mask>"))
    assert found == {
        "<mask>": ("<mask>", "special"),
        **{written[word]: (word, "word") for word in written},
        "ing": ("ing", "piece"), "Ġ": ("", "word"), "ĠĠ": (" ", "word"), "Ã": ("\ufffd", "piece"),
        "ĠÃ": (" \ufffd", "piece"), written["grün"][1:]: ("grün", "piece"), "Ċ": ("\n", "piece"),
    }  # fmt: skip


def test_every_byte_has_its_letter() -> None:
    from tokenizers.pre_tokenizers import ByteLevel

    from nerquake.language.transformers_vocabulary import _BYTES

    assert sorted(_BYTES.values()) == list(range(256))
    assert set(_BYTES) == set(ByteLevel.alphabet())


def unigram() -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    entries = ["<unk>", "<mask>", "▁Haus", "haus", "▁घर", "▁", "▁New▁York", ",", "<0x0A>", *"Hausmet"]
    backend = Tokenizer(models.Unigram([(entry, -float(at)) for at, entry in enumerate(entries)], unk_id=0))
    backend.pre_tokenizer, backend.decoder = pre_tokenizers.Metaspace(), decoders.Metaspace()
    return wrap(backend, mask_token="<mask>", unk_token="<unk>")


def test_blanks_written_out() -> None:
    found = read(unigram())
    assert {key: value for key, value in found.items() if len(key) > 1} == {
        "<unk>": ("<unk>", "special"), "<mask>": ("<mask>", "special"), "▁Haus": ("Haus", "word"),
        "haus": ("haus", "piece"), "▁घर": ("घर", "word"), "▁New▁York": ("New York", "word"),
        "<0x0A>": ("<0x0A>", "piece"),
    }  # fmt: skip
    assert found["▁"] == ("", "word")
    assert found[","] == (",", "piece")


def test_ends_of_words() -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers

    backend = Tokenizer(models.BPE({"<mask>": 0, "haus</w>": 1, "haus": 2}, [], end_of_word_suffix="</w>"))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    found = read(wrap(backend, mask_token="<mask>"))
    assert found == {"<mask>": ("<mask>", "special"), "haus</w>": ("haus", "word"), "haus": ("haus", "piece")}


class Slow:
    """A tokenizer in Python: no backend says how it writes pieces."""

    all_special_ids = (0,)

    def __init__(self, *entries: str) -> None:
        self.entries = entries

    def get_vocab(self) -> dict[str, int]:
        return {entry: at for at, entry in enumerate(self.entries)}

    def get_added_vocab(self) -> dict[str, int]:
        return {}


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        (("<m>", "Haus", "##haus", "##s"), ["Haus word", "haus piece", "s piece"]),
        (("<m>", "▁Haus", "▁in", "haus"), ["Haus word", "in word", "haus piece"]),
        (("<m>", "haus</w>", "s</w>", "haus"), ["haus word", "s word", "haus piece"]),
        (("<m>", "Haus", "in"), ["Haus word", "in word"]),
    ],
)
def test_tokenizers_in_python_are_read_by_their_looks(entries: tuple[str, ...], expected: list[str]) -> None:
    texts, kinds = vocabulary_of(Slow(*entries), len(entries))
    assert [f"{text} {kind}" for text, kind in zip(texts, kinds, strict=True)] == ["<m> special", *expected]


def test_capitals() -> None:
    from tokenizers import normalizers

    tokenizer = unigram()
    assert tells_capitals(tokenizer)
    tokenizer.backend_tokenizer.normalizer = normalizers.NFKC()
    assert tells_capitals(tokenizer)
    tokenizer.backend_tokenizer.normalizer = normalizers.Lowercase()
    assert not tells_capitals(tokenizer)
    slow: Any = Slow("<m>")
    assert tells_capitals(slow)
    slow.do_lower_case = True
    assert not tells_capitals(slow)


def test_a_unigram_tokenizer_splits_single_words_as_in_a_sentence() -> None:
    from nerquake.language.transformers_rows import Encoder
    from nerquake.models.frame import Frame

    tokenizer = unigram()
    encoder = Encoder(tokenizer, Frame((), (), (), 0, (), 0), 1, 10, {})
    words = ["Haus", "haus", "<mask>", "met", "", "घर", ",", "HausHaus"]
    encoder.split(words)
    together = tokenizer([word for word in words if word], is_split_into_words=True, add_special_tokens=False)
    assert [piece for word in words for piece in encoder.memory[word]] == together["input_ids"]

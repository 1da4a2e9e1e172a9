"""Messages, specifications, file names and commands without what they quote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerquake.core.redact_text import redacted_text, short_command, short_file, short_spec

DATA = frozenset({"anna", "walrus", "sentences", "the"})
NAMES = {"PER": "PER", "swap": "swap", "rules_x.tsv": "rules", "doc-7 a": "s00001", "QzId-3": "s00003"}


@pytest.mark.parametrize(("text", "wanted"), [
    ("no other candidate for PER (1 mention)", "no other candidate for PER (1 mention)"),
    ("Anna is no walrus", "Xxxx is no xxxxxx"),
    ("the sentences stay", "the sentences stay"),
    ("'left over' has the label “Foo”, here", "'xxxx xxxx' has the label “Xxx”, here"),
    ("a 🍕 → b", "a □ → b"),
    ("`x y` and \"a b\"", "`x x` and \"x x\""),
    ("1,204 of 3.5% in en_US", "1,204 of 3.5% in en_US"),
    ("links of /home/me/links.tsv", "links of FILE"),
    ("links of names.tsv, again", "links of FILE, again"),
    ("rules_x.tsv: QzId-3, QzId-4", "rules: s00003, XxXx-0"),
    ("मुंबई कहाँ", "कााकक ककाा"),
    ("", ""),
])  # fmt: skip
def test_messages(text: str, wanted: str) -> None:
    assert redacted_text(text, DATA, NAMES) == wanted


@given(st.lists(st.sampled_from(["(Qzwal", "QZWAL", "'qz wal'", "no", "candidate", "“qz”", "q/z", "qz.tsv", "qzwal,"])))
def test_no_word_of_the_data_is_left(words: list[str]) -> None:
    found = redacted_text(" ".join(words), frozenset({"qzwal", "qz", "wal"}), {})
    assert "qz" not in found.casefold()
    assert "wal" not in found.casefold()


@pytest.mark.parametrize(("text", "wanted"), [
    ("swap", "swap"),
    ("swap:coverage=50,name=secret", "swap:coverage=50"),
    ("gazetteer:/home/me/names.tsv,label=PER", "gazetteer"),
    ("file:a b.jsonl", "file"),
    ("rules:rules.tsv,ignore_case=yes,name=me", "rules:ignore_case=yes"),
    ("spacy:en_core_web_sm", "spacy:en_core_web_sm"),
    ("spacy:/home/me/model", "spacy"),
    ("huggingface:dslim/bert-base-NER", "huggingface:dslim/bert-base-NER"),
    ("swap+mask:filler=ngram,n=2", "swap+mask:filler=ngram,n=2"),
    ("/home/me/own.py:Class", "FILE"),
    ("own.module:Class", "FILE"),
    ('letters:keep="a, b"', "letters"),
    ("a b:", "a b"),
    ("case:upper", "case:upper"),
    ("typo:kinds=drop|double,where=mentions,types=SECRET", "typo:kinds=drop|double,where=mentions"),
    ("name-order:plain", "name-order:plain"),
    ("gazetteer:secret", "gazetteer"),
])  # fmt: skip
def test_specifications(text: str, wanted: str) -> None:
    assert short_spec(text) == wanted


def test_files_and_commands() -> None:
    assert short_file("secret.conll", 1) == "input-1.conll"
    assert short_file("secret", 2) == "input-2"
    assert short_file("a.secret words", 3) == "input-3"
    names = {"swap": "swap", "rules:x.tsv": "rules"}
    command = "nerquake audit 'my secret.conll' -p swap -t rules:x.tsv --seed 3 --map=SECRET=X -o out"
    assert short_command(command, names) == "nerquake audit … -p swap -t rules --seed 3 --map=… -o …"
    assert short_command("python 'secret", names) == ""

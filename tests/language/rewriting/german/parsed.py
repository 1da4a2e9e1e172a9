"""Sentences with parses made by hand, in one line each, and the same as a CoNLL-U file.

A token is `form/lemma/part of speech/features/head/relation`; `/LABEL` begins a mention, `/+` goes on with it.
Features are three letters for nouns, as in `nms`: nominative, masculine, singular; `3s` is a finite verb, `-` is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.language.rewriting.conllu import Row
from nerquake.language.rewriting.sources import tree_from
from nerquake.language.rewriting.tree import Rewriting, Rule, Tree

CASES = {"n": "Nom", "g": "Gen", "d": "Dat", "a": "Acc"}
GENDERS = {"m": "Masc", "f": "Fem", "n": "Neut", "x": ""}
NUMBERS = {"s": "Sing", "p": "Plur"}
FINITE = {"s": {"VerbForm": "Fin", "Number": "Sing"}, "p": {"VerbForm": "Fin", "Number": "Plur"}}


def features(text: str) -> dict[str, str]:
    """`nms`, `3s`, `-`, or as CoNLL-U has them."""
    if text == "-":
        return {}
    if text[0].isdigit():
        return FINITE[text[1]]
    if "=" in text:
        return dict([text.split("=", 1)])
    found = {"Case": CASES[text[0]], "Gender": GENDERS[text[1]], "Number": NUMBERS[text[2]]}
    return {key: value for key, value in found.items() if value}


def rows_of(line: str) -> tuple[Row, ...]:
    """The tokens of a line."""
    made = []
    for at, token in enumerate(line.split()):
        form, lemma, pos, morph, head, dep = token.split("/")[:6]
        made.append(Row(form, lemma, pos, "", dep, int(head) - 1 if head != "0" else at, features(morph)))
    return tuple(made)


def sentence_of(line: str, name: str = "s") -> Sentence:
    """The sentence of a line with its mentions."""
    cells = [token.split("/") for token in line.split()]
    spans: list[Span] = []
    for at, fields in enumerate(cells):
        mark = fields[6] if len(fields) > 6 else ""
        if mark == "+":
            spans[-1] = Span(spans[-1].start, at + 1, spans[-1].label)
        elif mark:
            spans.append(Span(at, at + 1, mark))
    return Sentence(name, tuple(fields[0] for fields in cells), tuple(spans))


def tree_of(line: str) -> Tree:
    """The line as a tree."""
    rows = rows_of(line)
    return tree_from(sentence_of(line), rows, range(len(rows)))


def write_conllu(file: Path, lines: Sequence[str]) -> Path:
    """All lines as a CoNLL-U file."""
    blocks = []
    for line in lines:
        cells = []
        for at, (token, row) in enumerate(zip(line.split(), rows_of(line), strict=True), 1):
            morph = "|".join(f"{key}={value}" for key, value in sorted(row.morph.items())) or "_"
            head = token.split("/")[4]
            cells.append("\t".join([str(at), row.text, row.lemma, row.pos, "_", morph, head, row.dep, "_", "_"]))
        blocks.append("# a parse made by hand\n" + "\n".join(cells) + "\n")
    file.write_text("\n".join(blocks), "utf-8")
    return file


def done(tree: Tree, one: Rewriting) -> str:
    """A rewriting carried out, capitals left as they are; no token is used twice."""
    words = [word.text for word in tree.words]
    used = [at for part in one.parts if not isinstance(part, str) for at in range(*part)]
    assert len(used) == len(set(used))
    new = [word for part in one.parts for word in ([part] if isinstance(part, str) else words[part[0] : part[1]])]
    return " ".join(words[: one.start] + new + words[one.end :])


def said(rule: Rule, line: str) -> list[str]:
    """All that a rule makes of a line."""
    tree = tree_of(line)
    found = list(rule.find(tree))
    assert all((one.rule, one.kind) == (rule.name, rule.kind) for one in found)
    return [done(tree, one) for one in found]

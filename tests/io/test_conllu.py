"""CoNLL-U: entities in MISC, blanks, multiword tokens and empty nodes; what is read is written byte for byte."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, apply_edits
from nerquake.core.errors import FormatError, OutputError, Problem
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.io.conllu import Conllu

FILE = """# newdoc id = d1
# sent_id = d1-1
# text = Anna fuhr im Mai (nach Bonn).
1\tAnna\tAnna\tPROPN\tNE\t_\t2\tnsubj\t2:nsubj\tname=B-PER
2\tfuhr\tfahren\tVERB\tVV\t_\t0\troot\t0:root\t_
2.1\tfuhr\tfahren\tVERB\t_\t_\t_\t_\t2:conj\t_
3-4\tim\t_\t_\t_\t_\t_\t_\t_\t_
3\tin\tin\tADP\tAPPR\t_\t5\tcase\t5:case\t_
4\tdem\tder\tDET\tART\t_\t5\tdet\t5:det\t_
5\tMai\tMai\tNOUN\tNN\t_\t2\tobl\t2:obl|2.1:obl\tGloss=May
6\t(\t(\tPUNCT\t$(\t_\t8\tpunct\t_\tSpaceAfter=No
7\tnach\tnach\tADP\tAPPR\t_\t8\tcase\t_\t_
8\tBonn\tBonn\tPROPN\tNE\t_\t2\tobl\t_\tGloss=Bonn|SpaceAfter=No|name=B-LOC
9\t)\t)\tPUNCT\t$(\t_\t8\tpunct\t_\tSpaceAfter=No|name=O
10\t.\t.\tPUNCT\t$.\t_\t2\tpunct\t_\t_

# sent_id = d1-2
1\t10 000\t_\tNUM\t_\t_\t0\troot\t_\t_

# newdoc
1\tUlm\tUlm\tPROPN\tNE\t_\t0\troot\t_\tname=B-LOC

"""


def read(text: str, options: ReadOptions = ReadOptions(), key: str = "name") -> Dataset:  # noqa: B008
    return Conllu(key).read_bytes("x.conllu", text.encode(), options)


def examine(text: str) -> tuple[Problem, ...]:
    return Conllu().examine("x.conllu", text.encode(), ReadOptions()).problems


def written(dataset: Dataset, key: str = "name") -> str:
    return "".join(Conllu(key).lines(dataset))


def rows(*words: str, first: int = 1) -> str:
    return "".join(f"{at}\t{word}" + "\t_" * 8 + "\n" for at, word in enumerate(words, first))


def test_words_blanks_and_mentions() -> None:
    data = read(FILE)
    first, second, third = data.sentences
    assert first.id == "d1-1"
    assert first.tokens == ("Anna", "fuhr", "in", "dem", "Mai", "(", "nach", "Bonn", ")", ".")
    assert first.spans == (Span(0, 1, "PER"), Span(7, 8, "LOC"))
    assert first.text.strip() == "Anna fuhr in dem Mai (nach Bonn)."
    assert first.columns[7] == ("8", "Bonn", "PROPN", "NE", "_", "2", "obl", "_", "Gloss=Bonn|SpaceAfter=No")
    assert [s.doc_id for s in data] == ["d1", "d1", "2"]
    assert second.tokens == ("10 000",)
    assert third.hashed
    assert "multiword tokens and empty nodes kept beside the words: 2" in data.notes


@pytest.mark.parametrize(
    "text",
    [
        FILE,
        FILE.rstrip("\n"),
        "\n" + FILE + "\n\n",
        FILE.replace("# text = Anna", "# text = Other"),
        FILE.replace("# newdoc id = d1\n", "").replace("# newdoc\n", "# newdoc id = d1\n# newpar id = p\n"),
        FILE.replace("SpaceAfter=No|name=O", "name=O|SpaceAfter=No"),
        rows("a") + "\n\n\n" + rows("b", "c"),
    ],
)
def test_what_is_read_is_written_byte_for_byte(text: str) -> None:
    assert written(read(text)) == text


def test_the_key_is_the_users() -> None:
    text = FILE.replace("name=", "NER=")
    assert read(text, key="NER").mentions == {"PER": 1, "LOC": 2}
    assert written(read(text, key="NER"), key="NER") == text
    found = Conllu().examine("x", text.encode(), ReadOptions())
    assert not found.problems
    assert [finding.code for finding in found.findings] == ["no-mentions"]
    assert "conllu:key=" in found.advice


def test_an_attack_keeps_ids_heads_ranges_and_text_right() -> None:
    data = read(FILE)
    first = data.sentences[0]
    edits = [Edit(0, 1, ("Rosa", "Thal"), "mention"), Edit(7, 8, ("Köln",), "mention")]
    made = replace(apply_edits(first, edits).sentence, source=first.id)
    text = written(data.with_sentences([made, *data.sentences[1:]]))
    lines = [line.split("\t") for line in text.splitlines() if line and line[0] != "#"]
    assert [cells[0] for cells in lines[:13]] == ["1", "2", "3", "3.1", "4-5", "4", "5", "6", "7", "8", "9", "10", "11"]
    assert "# text = Rosa Thal fuhr im Mai (nach Köln).\n" in text
    assert lines[0][9] == "name=B-PER"
    assert lines[1][9] == "name=I-PER"
    assert lines[2][6] == "0"
    assert lines[5][6:9] == ["6", "case", "6:case"]
    assert lines[7][8] == "3:obl|3.1:obl"
    assert lines[9][6:8] == ["_", "_"], "its head is gone"
    assert lines[10] == ["9", "Köln", *["_"] * 7, "name=B-LOC|SpaceAfter=No"]
    again = read(text)
    assert again.sentences[0].spans == made.spans
    assert again.sentences[0].spaces == made.spaces
    assert text.split("\n\n", 1)[1] == FILE.split("\n\n", 1)[1]


def test_a_multiword_token_goes_with_its_words() -> None:
    data = read(FILE)
    made = replace(apply_edits(data.sentences[0], [Edit(3, 4, ("den",), "context")]).sentence, source="d1-1")
    text = written(data.with_sentences([made]))
    assert "3-4" not in text
    assert "# text = Anna fuhr in den Mai (nach Bonn).\n" in text
    assert read(text).sentences[0].tokens == made.tokens


def test_a_data_set_from_elsewhere_gets_ids_text_and_blanks() -> None:
    one = Sentence(
        "s1", ("Bonn", "."), (Span(0, 1, "LOC"),), spaces=(False, True), doc_id="d", meta=(("genre", "news"),)
    )
    text = written(Dataset("x", (one, Sentence("s2", ("Ja",)))))
    assert text.startswith(
        "# newdoc id = d\n# sent_id = s1\n# text = Bonn.\n# genre = news\n"
        "1\tBonn\t_\t_\t_\t_\t_\t_\t_\tname=B-LOC|SpaceAfter=No\n2\t.\t"
    )
    back = read(text)
    assert (back.sentences[0].spans, back.sentences[0].spaces, back.sentences[0].meta) == (
        one.spans,
        one.spaces,
        one.meta,
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1\tBonn\tB-LOC\n", [("mixed-columns", 1)]),
        ("Bonn B-LOC\n", [("mixed-columns", 1)]),
        (rows("a", first=2), [("bad-id", 1)]),
        (rows("a", "b") + rows("c"), [("bad-id", 3)]),
        (rows("a").replace("1", "x", 1), [("bad-id", 1)]),
        (rows(" "), [("empty-token", 1)]),
        (rows("a")[:-2] + "name=LOC\n", [("bad-tag", 1)]),
        (rows("a")[:-2] + "name=B-X|name=O\n", [("bad-tag", 1)]),
        (rows("a") + "# text = a\n" + rows("b", first=2), [("comment-inside", 2)]),
        (rows("a", "b").replace("1\t", "1-2\tab" + "\t_" * 8 + "\n1-2\tab" + "\t_" * 8 + "\n1\t", 1), [("bad-id", 2)]),
        (rows("ab").replace("1\t", "1-3\tab" + "\t_" * 8 + "\n1\t", 1), [("bad-id", 2)]),
        (rows("a") + "3.1\tx" + "\t_" * 8 + "\n", [("bad-id", 2)]),
        ("# sent_id = a\n" + rows("a") + "\n# sent_id = a\n" + rows("b"), [("duplicate-id", 5)]),
        (rows("a")[:-2] + "name=B-X\n" + rows("b", first=2)[:-2] + "name=E-Y\n", [("ill-formed-sequence", 2)]),
    ],
)
def test_every_fault_is_named_by_its_line(text: str, expected: list[tuple[str, int]]) -> None:
    found = examine(text)
    assert [(problem.code, problem.line) for problem in found][: len(expected)] == expected
    assert all(problem.hint for problem in found)


def test_bytes_that_are_no_text_are_named_and_leniently_left_out() -> None:
    data = rows("a").encode() + b"2\t\xff" + b"\t_" * 8 + b"\n\n" + rows("b").encode()
    with pytest.raises(FormatError, match="line 2"):
        Conllu().read_bytes("x", data, ReadOptions())
    found = Conllu().read_bytes("x", data, ReadOptions(lenient=True))
    assert [s.tokens for s in found] == [("b",)]
    assert any("not-decodable 1" in note for note in found.notes)


@pytest.mark.parametrize(
    "sentence",
    [
        Sentence("s", ("a\tb",)),
        Sentence("s", (" ",)),
        Sentence("s", ("a",), (Span(0, 1, "A|B"),)),
        Sentence("s", ("a",), doc_id="a\nb"),
        Sentence("s", ("a",), meta=(("text", "x"),)),
        Sentence("a\tb", ("a",)),
    ],
)
def test_what_cannot_be_held_is_refused(sentence: Sentence) -> None:
    with pytest.raises(OutputError, match=re.escape(f"sentence {sentence.id!r}")):
        written(Dataset("x", (sentence,)))

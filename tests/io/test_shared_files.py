"""The data sets kept beside the project: what is detected, what is wrong, and that every byte comes back."""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from nerquake.core.protocols import ReadOptions
from nerquake.io.conll import Conll


class Known(NamedTuple):
    """A file, the columns it is read by, and what is known of it: sentences, mentions, scheme, problems by code."""

    path: str
    sentences: int
    mentions: int
    scheme: str
    problems: dict[str, int] = {}  # noqa: RUF012
    conll: Conll = Conll()


ILL = "ill-formed-sequence"
GERMEVAL = "germeval2014/NER-de-dev.tsv"
FILES = [
    Known("wnut17/wnut17train.conll", 3394, 1975, "iob2"),
    Known("wnut17/emerging.test.annotated", 1287, 1079, "iob2"),
    Known("wnut17/emerging.test.conll", 1287, 1094, "iob2", {ILL: 116}),
    Known("wnut17/submissions/arcada", 1287, 787, "iob2"),
    Known("wnut17/submissions/flytxt", 1287, 720, "iob2"),
    Known("wnut17/submissions/sjtu_adapt.txt", 1287, 727, "iob2"),
    Known("btc/btc.train", 6338, 8779, "iob2"),
    Known("btc/btc.dev", 1000, 1730, "iob2", {"empty-token": 4}),
    Known("wikigold/wikigold.conll.txt", 1696, 3558, "io"),
    Known("multiconer1/DE-German/de_dev.conll", 800, 1239, "iob2"),
    Known("multiconer1/EN-English/en_train.conll", 15300, 23553, "iob2"),
    Known("multiconer1/BN-Bangla/bn_dev.conll", 800, 800, "iob2"),
    Known("multiconer1/FA-Farsi/fa_dev.conll", 800, 1213, "iob2"),
    Known("multiconer1/KO-Korean/ko_dev.conll", 800, 1302, "iob2"),
    Known("multiconer1/ZH-Chinese/zh_dev.conll", 800, 1281, "iob2"),
    Known("multiconer2/hi-train.conll", 9306, 12149, "iob2", {"duplicate-id": 326}),
    Known("mtl_bio_iobes/NCBI-disease-IOB/train.tsv", 5424, 5134, "iob2"),
    Known("mtl_bio_iobes/NCBI-disease-IOBES/train.tsv", 5424, 5134, "bioes"),
    Known("mtl_bio_iobes/BioNLP13CG-IOBES/devel.tsv", 1003, 3616, "bioes"),
    Known("il_ner/Hindi/Hindi-train.txt", 11076, 11827, "iob2", {"bad-tag": 150, "mixed-columns": 1}),
    Known("il_ner/Telugu/Telugu-dev.txt", 384, 252, "iob2", {"bad-tag": 181}),
    Known("il_ner/Urdu/Urdu-dev.txt", 1094, 575, "iob2", {"bad-tag": 3}),
    Known("europeana_de/enp_DE.onb.bio", 1, 3343, "iob2", {ILL: 41}),
    Known("europeana_de/enp_DE.sbb.bio", 1, 1761, "iob2", {"mixed-columns": 147, ILL: 10, "bad-tag": 5}),
    Known("weibo_zh/weiboNER_2nd_conll.train", 1350, 1895, "iob2", {ILL: 10}),
    Known("wojood_ar_sample/test.txt", 357, 711, "iob2", {"mixed-columns": 214}),
    Known("uner/en_pud-ud-test.iob2", 1000, 1075, "iob2", {}, Conll(token=1, tag=2)),
    Known(GERMEVAL, 2200, 2674, "iob2", {}, Conll(token=1, tag=2)),
    Known(GERMEVAL, 2200, 212, "iob2", {}, Conll(token=1, tag=3)),
    Known("hipe2022/ajmc/HIPE-2022-v2.1-ajmc-dev-de.tsv", 14, 403, "iob2", {}, Conll(tag=1)),
    Known("hipe2022/ajmc/HIPE-2022-v2.1-ajmc-train-de.tsv", 76, 1739, "iob2", {ILL: 1}, Conll(tag=1)),
    Known("mobie/ner_conll03_formatted.zip!dev.conll2003", 1082, 2793, "iob2", {ILL: 28}),
    Known("mobie/ner_conll03_formatted.zip!train.conll2003", 4785, 12935, "iob2", {ILL: 105}),
]
each_file = pytest.mark.parametrize("known", FILES, ids=[f"{known.path}:{known.conll.tag}" for known in FILES])


def content(shared: Path, known: Known) -> bytes:
    path, _, member = known.path.partition("!")
    file = shared / "data" / path
    if not file.exists():
        pytest.skip(f"{path} is not among the data sets kept beside the project")
    if not member:
        return file.read_bytes()
    with zipfile.ZipFile(file) as archive:
        return archive.read(member)


def lines_of(known: Known, data: bytes, options: ReadOptions) -> Iterator[str]:
    return known.conll.lines(known.conll.read_bytes(known.path, data, options))


@each_file
def test_scheme_sizes_and_problems_are_those_known(shared: Path, known: Known) -> None:
    found = known.conll.examine(known.path, content(shared, known), ReadOptions())
    assert found.dataset is not None
    assert found.dataset.scheme is not None
    assert found.dataset.scheme.name == known.scheme
    assert (len(found.dataset), sum(found.dataset.mentions.values())) == (known.sentences, known.mentions)
    assert Counter(problem.code for problem in found.problems) == known.problems


@each_file
def test_every_byte_comes_back_but_for_marks_line_ends_and_repairs(shared: Path, known: Known) -> None:
    data = content(shared, known)
    expected = data.decode("utf-8").replace("\r\n", "\n").removeprefix("\ufeff").split("\n")
    if set(known.problems) <= {ILL}:
        written = "".join(lines_of(known, data, ReadOptions(repair="conlleval"))).split("\n")
        assert len(written) == len(expected)
        changed = sum(one != other for one, other in zip(written, expected, strict=True))
        assert changed == known.problems.get(ILL, 0)
    else:
        written = "".join(lines_of(known, data, ReadOptions(repair="conlleval", lenient=True))).split("\n")
        repaired = known.problems.get(ILL, 0)
        broken = sum(known.problems.values()) - repaired
        assert (Counter(expected) - Counter(written)).total() >= broken
        # A line that is left out may make the next one ill-formed, which repair then changes.
        assert (Counter(written) - Counter(expected)).total() <= broken + repaired

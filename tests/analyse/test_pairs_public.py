"""Damage that was seen in public adversarial sets is named."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.analyse.pair_files import faults
from tests.analyse.planting import Block, write
from tests.perturb.helpers import run

from nerquake.analyse.pairing.check import check_pair
from nerquake.core.sentence import Sentence
from nerquake.io.load import load


class TestDamageSeenInPublicSets:
    """Paper M's released files: comment lines as tokens and then as mentions, and sentences that went missing."""

    def test_comment_lines_as_tokens(self, tmp_path: Path) -> None:
        dataset = load("sample:de")
        attacked = [variant.sentence for variant in run(dataset, "swap").variants]
        text, expected = "", []
        random = Random(5)
        for one in attacked:
            block = Block.of(Sentence(one.id, one.tokens, one.spans))
            if random.random() < 0.6:
                expected.append(text.count("\n") + 1)
                tags = random.choice((["O"] * 4, ["B-PER", "I-PER", "B-LOC", "O"]))
                words = ["#", "id", f"{random.getrandbits(64):016x}", "domain=news"]
                text += "".join(f"{word}\t{tag}\n" for word, tag in zip(words, tags, strict=True))
            text += "".join(f"{row.token}\t{row.tag}\n" for row in block.rows) + "\n"
        (tmp_path / "b.conll").write_text(text, "utf-8")
        result = check_pair("sample:de", str(tmp_path / "b.conll"), "entity")
        seen = faults(result)
        assert {fault.code for fault in seen} == {"comment-as-token"}
        assert [fault.attacked.line for fault in seen if fault.attacked] == expected

    def test_sentences_lost(self, tmp_path: Path) -> None:
        dataset = load("sample:hi")
        attacked = [variant.sentence for variant in run(dataset, "swap").variants]
        lost = set(Random(3).sample(range(len(attacked)), len(attacked) // 9))
        kept = [Block.of(one) for at, one in enumerate(attacked) if at not in lost]
        write(tmp_path / "b.conll", kept, ids=False)
        write(tmp_path / "a.conll", map(Block.of, dataset), ids=False)
        result = check_pair(str(tmp_path / "a.conll"), str(tmp_path / "b.conll"), "entity")
        assert dict(result.counts).get("sentence-lost") == len(lost)
        assert {fault.code for fault in faults(result)} == {"sentence-lost"}

    def test_both_in_a_public_file(self, shared: Path, tmp_path: Path) -> None:
        """The German development split with its comment lines as tokens and every ninth sentence gone."""
        source = shared / "data" / "multiconer1" / "DE-German" / "de_dev.conll"
        dataset = load(str(source))
        text = ""
        kept = [one for at, one in enumerate(dataset) if at % 9]
        for one in kept:
            words = f"# id {one.id} domain=de".split()
            text += "".join(f"{word} _ _ O\n" for word in words)
            rows = Block.of(one).rows
            text += "".join(f"{row.token} _ _ {row.tag}\n" for row in rows) + "\n"
        (tmp_path / "b.conll").write_text(text, "utf-8")
        result = check_pair(str(source), str(tmp_path / "b.conll"), "entity")
        assert dict(result.counts) == {"sentence-lost": len(dataset) - len(kept), "comment-as-token": len(kept)}

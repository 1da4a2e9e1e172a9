"""Original and attacked files side by side: what was damaged is named with its line, and nothing else is."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest
from tests.analyse.pair_files import audit, faults, found, lines
from tests.analyse.planting import ATTACKS, ONLY, PLANTERS, Block, Row, attack, sentences, write
from tests.perturb.helpers import run

from nerquake.analyse.pairing.check import check_pair
from nerquake.analyse.pairing.model import CODES, KINDS, Fault, Kind, damaging
from nerquake.analyse.pairing.names import alike
from nerquake.analyse.pairing.similar import rising
from nerquake.core.dataset import Dataset
from nerquake.core.protocols import ReadOptions
from nerquake.io.load import load, save

SEEDS = 200
CHUNKS = 20


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_one_planted_fault_is_named_with_its_line_and_nothing_else(chunk: int, tmp_path: Path) -> None:
    """Over 200 seeds, for clean pairs made by swapping, letters, new names, new words and both."""
    names = list(ATTACKS)
    for seed in range(chunk, SEEDS, CHUNKS):
        name = names[seed % len(names)]
        random = Random(f"{seed} {name}")
        original = sentences(random, 20)
        attacked = attack(original, name, random)
        ids = random.random() < 0.4
        ours = [Block.of(one) for one in original]
        where = write(tmp_path / "a.conll", ours, ids)
        write(tmp_path / "b.conll", map(Block.of, attacked), ids)
        clean = check_pair(str(tmp_path / "a.conll"), str(tmp_path / "b.conll"), ATTACKS[name])
        assert not faults(clean), (seed, name)
        assert not clean.damaged
        for code, planter in PLANTERS.items():
            if ONLY.get(code, ATTACKS[name]) != ATTACKS[name]:
                continue
            theirs = [Block.of(one) for one in attacked]
            planted = planter(ours, theirs, random)
            if planted is None:
                continue
            lines_of = write(tmp_path / "b.conll", theirs, ids)
            result = check_pair(str(tmp_path / "a.conll"), str(tmp_path / "b.conll"), ATTACKS[name])
            seen = [fault for fault in result.faults if fault.code == code]
            assert seen, (seed, name, code)
            assert {fault.code for fault in faults(result)} <= {code}, (seed, name, code, result.faults)
            _check_place(seen, code, planted.attacked, planted.original, lines_of, where)
            assert result.damaged == (code in damaging(ATTACKS[name]))


def _check_place(
    seen: list[Fault],
    code: str,
    attacked: Row | None,
    original: Row | None,
    lines_of: dict[Row, int],
    where: dict[Row, int],
) -> None:
    if code != "unchanged":
        assert len(seen) == 1, seen
    if attacked is not None:
        assert lines_of[attacked] in [fault.attacked.line for fault in seen if fault.attacked], (seen, code)
    if original is not None:
        assert where[original] in [fault.original.line for fault in seen if fault.original]


def test_every_planter_has_planted() -> None:
    """Planters may find no place in a file; each of them must find one often enough to mean something."""
    planted = dict.fromkeys(PLANTERS, 0)
    for seed in range(20):
        random = Random(seed)
        original = sentences(random, 20)
        attacked = attack(original, "new names", random)
        for code, planter in PLANTERS.items():
            ours, theirs = ([Block.of(one) for one in side] for side in (original, attacked))
            planted[code] += planter(ours, theirs, random) is not None
    assert set(PLANTERS) == set(CODES)
    assert min(planted.values()) >= 10, planted


@pytest.mark.parametrize("language", ["en", "de", "hi"])
@pytest.mark.parametrize("spec", ["swap", "letters", "swap+letters", "faker"])
def test_sets_of_our_own_are_clean(language: str, spec: str, tmp_path: Path) -> None:
    dataset = load(f"sample:{language}")
    made = Dataset("b.conll", tuple(variant.sentence for variant in run(dataset, spec).variants))
    save(made, tmp_path / "b.conll")
    result = check_pair(f"sample:{language}", str(tmp_path / "b.conll"), "entity")
    assert not faults(result)
    assert result.pairs == len(dataset)


def test_an_identical_file_is_unchanged(tmp_path: Path) -> None:
    for kind in KINDS:
        result = check_pair("sample:de", "sample:de", kind)
        assert dict(result.counts) == {"unchanged": len(load("sample:de"))}
        assert not result.damaged


class TestSentences:
    def test_ids_join_whatever_the_order(self, tmp_path: Path) -> None:
        (tmp_path / "a.conll").write_text("# id a\nAnna\tB-PER\nsleeps\tO\n\n# id b\nBo\tB-PER\nsleeps\tO\n", "utf-8")
        (tmp_path / "b.conll").write_text(
            "# id b~swap\nAnna\tB-PER\nsleeps\tO\n\n# id a~swap\nBo\tB-PER\nsleeps\tO\n", "utf-8"
        )
        result = check_pair(str(tmp_path / "a.conll"), str(tmp_path / "b.conll"), "entity")
        assert dict(result.counts) == {"sentence-moved": 1}
        assert not result.damaged

    def test_sources_join_too(self, tmp_path: Path) -> None:
        (tmp_path / "a.jsonl").write_text('{"id": "x", "tokens": ["Bonn", "sleeps"], "spans": [[0, 1, "LOC"]]}\n')
        (tmp_path / "b.jsonl").write_text(
            '{"id": "1", "source": "x", "tokens": ["Ulm", "wakes", "up"], "spans": [[0, 1, "LOC"]]}\n'
        )
        result = check_pair(str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl"), "both")
        assert result.pairs == 1
        assert not faults(result)

    def test_ids_that_only_count_are_not_believed(self, tmp_path: Path) -> None:
        """A sentence was lost and the rest numbered anew: by id every pair behind it would be wrong."""
        original = sentences(Random(1), 30)
        kept = [one for one in original if one.id != "s4"]
        ours = [Block.of(one) for one in original]
        theirs = [Block.of(one) for one in kept]
        for number, block in enumerate(theirs):
            block.key = f"s{number}"
        where = write(tmp_path / "a.conll", ours, ids=True)
        write(tmp_path / "b.conll", theirs, ids=True)
        result = check_pair(str(tmp_path / "a.conll"), str(tmp_path / "b.conll"), "entity")
        assert [(fault.code, fault.original.line) for fault in faults(result) if fault.original] == [
            ("sentence-lost", where[ours[4].rows[0]])
        ]
        assert any("ids are not used" in text for text in result.notes)

    def test_a_second_sentence_with_one_id_is_added(self, tmp_path: Path) -> None:
        (tmp_path / "a.conll").write_text("# id a\nAnna\tB-PER\nsleeps\tO\n", "utf-8")
        (tmp_path / "b.conll").write_text("# id a\nIda\tB-PER\nsleeps\tO\n\n# id a\nUte\tB-PER\nsleeps\tO\n", "utf-8")
        result = check_pair(str(tmp_path / "a.conll"), str(tmp_path / "b.conll"), "entity")
        (fault,) = faults(result)
        assert (fault.code, fault.attacked and fault.attacked.line) == ("sentence-added", 6)
        assert "'a'" in fault.message

    def test_names_dealt_out_among_like_sentences_did_not_move(self, tmp_path: Path) -> None:
        """Each attacked headline equals another original one; what stayed is the order."""
        original = lines("Bonn B-LOC", "1996 O", "", "Rome B-LOC", "1996 O", "", "Oslo B-LOC", "1996 O")
        attacked = lines("Rome B-LOC", "1996 O", "", "Oslo B-LOC", "1996 O", "", "Bonn B-LOC", "1996 O")
        assert found(tmp_path, original, attacked, "entity") == {}
        assert set(found(tmp_path, original, attacked, "context")) == {"sentence-moved"}

    def test_time_grows_with_the_number_of_sentences(self, tmp_path: Path) -> None:
        """Four times the sentences take nowhere near sixteen times as long."""
        taken = []
        for count in (500, 2000):
            random = Random(count)
            original = [*sentences(random, count)]
            attacked = attack(original, "new names and new words", random)
            random.shuffle(attacked[: count // 10])
            write(tmp_path / "a.conll", map(Block.of, original), ids=False)
            write(tmp_path / "b.conll", map(Block.of, attacked), ids=False)
            start = time.process_time()
            result = check_pair(str(tmp_path / "a.conll"), str(tmp_path / "b.conll"), "any")
            taken.append(time.process_time() - start)
            assert result.pairs == count
        assert taken[1] < 10 * taken[0], taken

    def test_two_files_about_different_things(self, tmp_path: Path) -> None:
        result = audit(tmp_path, lines("Bonn B-LOC", "sleeps O", "now O"), lines("no O", "such O", "luck O", "! O"))
        assert dict(result.counts) == {"sentence-lost": 1, "sentence-added": 1}

    @pytest.mark.parametrize(
        ("values", "size"), [([], 0), ([3], 1), ([1, 2, 3], 3), ([3, 1, 2], 2), ([2, 5, 3, 7, 1, 8, 4], 4)]
    )
    def test_longest_rising(self, values: list[int], size: int) -> None:
        picked = [values[at] for at in rising(values)]
        assert len(picked) == size
        assert picked == sorted(picked)


BASE = lines("in O", "New B-LOC", "York B-LOC".replace("B-", "I-"), "he O", "met O", "Anna B-PER", ". O")


def edited(*changes: tuple[str, str]) -> str:
    text = BASE
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


class TestMentions:
    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize(
        ("changes", "code"),
        [
            ([("Anna B-PER", "Anna O")], "mention-lost"),
            ([("he O", "he B-PER")], "mention-gained"),
            ([("York I-LOC", "York O")], "mention-shortened"),
            ([("New B-LOC", "New O"), ("York I-LOC", "York B-LOC")], "mention-shortened"),
            ([("met O", "met B-PER"), ("Anna B-PER", "Anna O")], "mention-detached"),
            ([("met O", "met B-PER"), ("Anna B-PER", "Anna I-PER")], "mention-detached"),
            ([("York I-LOC", "York B-LOC")], "mention-detached"),
            ([("Anna B-PER", "Anna B-LOC")], "mention-retyped"),
            ([("Anna B-PER", "Anna I-PER")], "orphan-inside"),
            ([("New B-LOC", "New O")], "orphan-inside"),
            ([("York I-LOC", "York I-PER")], "orphan-inside"),
            ([("he O", "he I-LOC"), ("York I-LOC", "York I-LOC")], "mention-detached"),
            ([("he O", "he I-PER")], "orphan-inside"),
        ],
    )
    def test_labels(self, kind: Kind, changes: list[tuple[str, str]], code: str, tmp_path: Path) -> None:
        assert found(tmp_path, BASE, edited(*changes), kind) == {code: 1}

    def test_a_mention_torn_by_a_new_word(self, tmp_path: Path) -> None:
        """Its second piece begins with an inside tag, which is the same fault."""
        assert found(tmp_path, BASE, edited(("York I-LOC", "old O\nYork I-LOC")), "context") == {"mention-detached": 1}

    def test_touching_mentions_joined(self, tmp_path: Path) -> None:
        original = lines("Anna B-PER", "Bo B-PER", "met O")
        attacked = lines("Ida B-PER", "Ute I-PER", "met O")
        for kind in ("entity", "any"):
            assert found(tmp_path, original, attacked, kind) == {"mention-lost": 1}

    def test_what_each_kind_may_change(self, tmp_path: Path) -> None:
        names = edited(("Anna B-PER", "Ida B-PER\nRoth I-PER"), ("New B-LOC\nYork I-LOC", "Ulm B-LOC"))
        words = edited(("met O", "saw O\nonly O"))
        assert found(tmp_path, BASE, names, "entity") == {}
        assert found(tmp_path, BASE, names, "context") == {"mention-text-changed": 2}
        assert found(tmp_path, BASE, words, "entity") == {"context-changed": 1}
        assert found(tmp_path, BASE, words, "context") == {}
        for text in (names, words):
            assert found(tmp_path, BASE, text, "both") == found(tmp_path, BASE, text, "any") == {}

    def test_a_paraphrase_moves_mentions(self, tmp_path: Path) -> None:
        original = lines("Anna B-PER", "met O", "Bo B-PER", "in O", "Bonn B-LOC", ". O")
        attacked = lines("In O", "Bonn B-LOC", "Bo B-PER", "was O", "met O", "by O", "Anna B-PER", ". O")
        for kind in ("context", "both", "any"):
            assert found(tmp_path, original, attacked, kind) == {}

    def test_the_same_word_in_two_roles(self, tmp_path: Path) -> None:
        original = lines("May O", "we O", "meet O", "May B-PER", "? O")
        attacked = lines("May B-PER", "we O", "meet O", "May O", "? O")
        for kind in KINDS:
            assert found(tmp_path, original, attacked, kind) == {"mention-detached": 1}

    def test_an_inherited_orphan_is_no_fault(self, tmp_path: Path) -> None:
        original = lines("Anna I-PER", "met O", "Bo B-PER", "Lind I-PER", "and O", "Ute B-PER", "Roth I-PER")
        assert found(tmp_path, original, original.replace("Anna", "Ida"), "entity") == {}

    def test_another_scheme_is_no_fault(self, tmp_path: Path) -> None:
        dataset = load("sample:de")
        for name in ("bioes", "io", "iob1"):
            from nerquake.core.scheme import SCHEMES

            changed = Dataset("b", dataset.sentences, scheme=SCHEMES[name])
            save(changed, tmp_path / "b.conll", "conll")
            result = check_pair("sample:de", str(tmp_path / "b.conll"), "entity")
            assert not [fault for fault in faults(result) if fault.code == "orphan-inside"], name

    def test_a_declared_scheme_holds(self, tmp_path: Path) -> None:
        original = lines("Anna I-PER", "met O", "Bo I-PER")
        attacked = lines("Ida I-PER", "met O", "Ute I-PER")
        assert not faults(audit(tmp_path, original, attacked, "entity"))
        declared = audit(tmp_path, original, attacked, "entity", options=ReadOptions(scheme="iob2"))
        assert not faults(declared)  # the original has the same


class TestOddTokens:
    def test_pieces_that_make_a_word_again(self, tmp_path: Path) -> None:
        attacked = edited(("York I-LOC", "Yo I-LOC\n##rk O"))
        result = audit(tmp_path, BASE, attacked, "context")
        (fault,) = faults(result)
        assert (fault.code, fault.attacked and fault.attacked.line) == ("subword-piece", 4)

    def test_sentencepiece_marks_the_beginning(self, tmp_path: Path) -> None:
        attacked = edited(("met O", "\u2581me O\nt O"))
        assert found(tmp_path, BASE, attacked, "entity") == {"subword-piece": 1}

    def test_what_the_original_has_is_no_piece(self, tmp_path: Path) -> None:
        original = lines("\u0120orġ B-PER", "met O", "##tag O", "\u200b O")
        attacked = lines("\u0120użeppi B-PER", "met O", "##tag O", "\u200b O")
        assert found(tmp_path, original, attacked, "entity") == {}

    @pytest.mark.parametrize("token", ["", "\u200b", "\u00a0", "\u00ad\u200d"])
    def test_tokens_that_one_cannot_see(self, token: str, tmp_path: Path) -> None:
        assert found(tmp_path, BASE, edited(("met O", f"{token} O")), "entity") == {"empty-token": 1}
        assert found(tmp_path, BASE, edited(("York I-LOC", f"{token} O\nYork I-LOC")), "context") == {"empty-token": 1}

    def test_empty_tokens_of_the_original_may_stay_or_go(self, tmp_path: Path) -> None:
        original = edited(("met O", " O\nmet O")) + "\n O\n"
        for attacked in (BASE, edited(("met O", " O\nmet O"))):
            result = audit(tmp_path, original, attacked, "entity")
            assert not faults(result)
            assert any("empty tokens only" in text for text in result.notes)

    @pytest.mark.parametrize(
        "comment",
        [
            "# O\nid O\n5239d808-f300-46ea O\ndomain=de O",
            "# B-PER\nid I-PER\n5239d808-f300-46ea B-LOC",
            "# O\nsent_id O\n= O\nx-7 O",
            "# O\nnewdoc O\nid O\n= O\nx O",
            "# O\ntext O\n= O\nin O\nNew O\nYork O\nhe O\nmet O\nAnna. O",
        ],
    )
    def test_comments(self, comment: str, tmp_path: Path) -> None:
        for kind in KINDS:
            assert found(tmp_path, BASE, f"{comment}\n{BASE}", kind) == {"comment-as-token": 1}
            assert found(tmp_path, BASE, f"{comment}\n\n{BASE}", kind) == {"comment-as-token": 1}

    def test_the_text_of_a_comment_is_that_of_the_original(self, tmp_path: Path) -> None:
        comment = "# O\ntext O\n= O\nin O\nNew O\nYork O\nhe O\nmet O\nAnna. O\n"
        attacked = edited(("Anna B-PER", "Ida B-PER\nRoth I-PER"))
        assert found(tmp_path, BASE, comment + attacked, "entity") == {"comment-as-token": 1}

    def test_comments_of_the_original_are_known(self, tmp_path: Path) -> None:
        (tmp_path / "a.conll").write_text("# a note of the annotators\n" + BASE.replace(" ", "\t"), "utf-8")
        words = "# a note of the annotators ".replace(" ", "\tO\n")
        (tmp_path / "b.conll").write_text(words + BASE.replace(" ", "\t"), "utf-8")
        result = check_pair(str(tmp_path / "a.conll"), str(tmp_path / "b.conll"), "any")
        assert dict(result.counts) == {"comment-as-token": 1}

    def test_a_hash_is_no_comment(self, tmp_path: Path) -> None:
        text = lines("# O", "id O", "is O", "here O", "", "#NER B-ORG", "wins O")
        assert found(tmp_path, text, text) == {}


class TestLabelNames:
    def test_the_whole_file(self, tmp_path: Path) -> None:
        result = audit(tmp_path, BASE, BASE.replace("-PER", "-PERSON"), "any")
        (fault,) = faults(result)
        assert fault.code == "label-name-differs"
        assert "PER is called PERSON" in fault.message
        assert fault.attacked is not None
        assert fault.attacked.line == 6

    def test_any_name_where_the_old_one_is_gone(self, tmp_path: Path) -> None:
        original = lines("a B-X", "b O", "c B-X", "d O", "e B-X", "f B-Y")
        assert found(tmp_path, original, original.replace("-X", "-Q7")) == {"label-name-differs": 1}
        assert found(tmp_path, original, original.replace("-X", "-Y")) == {"mention-retyped": 3}

    @pytest.mark.parametrize(
        ("one", "other", "same"),
        [
            ("PER", "PERSON", True), ("person", "PER", True), ("CW", "creative-work", True), ("GRP", "group", True),
            ("corporation", "coporation", True), ("CORP", "corporation", True), ("LOC", "Location", True),
            ("PER", "PRODUCT", False), ("LOC", "GPE", False), ("ORG", "GRP", False), ("X", "XYZ", False),
        ],
    )  # fmt: skip
    def test_alike(self, one: str, other: str, same: bool) -> None:
        assert alike(one, other) is same

"""Each kind of noise, with answers worked out by hand."""

from __future__ import annotations

import pytest
from tests.perturb.helpers import by_parent, data, new_surfaces, run, sentence

from nerquake.core.errors import SpecError
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.perturb.choose import chains_from
from nerquake.perturb.noise.keyboards import neighbours


def after(text: str, spec: str, tags: str = "", seed: int = 0, language: str = "en") -> str:
    made = run(data([sentence("s", text, tags)], language), spec, seed)
    return " ".join(made.variants[0].sentence.tokens)


def all_after(text: str, spec: str, tags: str = "", language: str = "en") -> set[str]:
    return {after(text, spec, tags, seed, language) for seed in range(60)}


@pytest.mark.parametrize(("form", "right", "loc", "per"), [
    ("lower", "i̇zmir und groß", (0, 6), (11, 15)),
    ("upper", "İZMIR UND GROSS", (0, 5), (10, 15)),
    ("title", "İzmir Und Groß", (0, 5), (10, 14)),
])  # fmt: skip
def test_case_may_change_lengths_and_no_label(
    form: str, right: str, loc: tuple[int, int], per: tuple[int, int]
) -> None:
    """Case 6: offsets in code points."""
    one = Sentence("s", ("İzmir", "und", "Groß"), (Span(0, 1, "LOC"), Span(2, 3, "PER")))
    made = run(data([one]), f"case:{form}").variants[0].sentence
    assert " ".join(made.tokens) == right
    assert made.spans == one.spans
    assert (right[slice(*loc)], right[slice(*per)]) == (made.tokens[0], made.tokens[2])


def test_case_in_mentions_or_around_them() -> None:
    text, tags = "Anna met Bo In Bonn", "B-PER O B-PER O B-LOC"
    assert after(text, "case:upper,where=mentions", tags) == "ANNA met BO In BONN"
    assert after(text, "case:lower,where=context", tags) == "Anna met Bo in Bonn"
    assert after("o'neill and McDonald", "case:title") == "O'neill And Mcdonald"
    unchanged = run(data([sentence("s", "में की 北京")]), "case:upper").variants[0]
    assert (unchanged.status, unchanged.reason) == ("not-applicable", "no word to upper")


@pytest.mark.parametrize(("text", "strip", "fold"), [
    ("Müller aß Łódź", "Muller ass Lodz", "Mueller ass Lodz"),
    ("ÅRHUS Ærø Þór", "ARHUS Aero Thor", "AaRHUS Aeroe Thor"),
    ("e\u0301te\u0301 naïve", "ete naive", "ete naive"),
    ("ज़मीन हँसी की", "जमीन हंसी की", "जमीन हंसी की"),
    ("Αθήνα Йод", "Αθηνα Иод", "Αθηνα Иод"),
])  # fmt: skip
def test_diacritics(text: str, strip: str, fold: str) -> None:
    assert after(text, "diacritics") == strip
    assert after(text, "diacritics:fold") == fold


def test_the_other_form_of_the_same_text() -> None:
    assert after("Müller", "diacritics:decompose") == "Mu\u0308ller"
    assert after("Mu\u0308ller", "diacritics:decompose") == "Müller"
    assert after("plain", "diacritics:decompose") == "plain"


def test_keys_beside_a_key() -> None:
    assert set(neighbours("g", "en")) == set("fhtyvb")
    assert set(neighbours("A", "en")) == set("QWSZ")
    assert "z" in neighbours("t", "de")
    assert "y" not in neighbours("t", "de")
    assert set(neighbours("ö", "de")) == set("lpüä")
    assert set(neighbours("क", "hi")) == set("गदरतस")
    assert set(neighbours("ी", "hi")) == set("ाूि")
    assert neighbours("北", "zh") == ""
    assert neighbours("1", "en") == "2"


def test_each_slip() -> None:
    assert all_after("word", "typo:share=1,kinds=drop") == {"wrd", "wod", "wor"}
    assert all_after("word", "typo:share=1,kinds=double") == {"wword", "woord", "worrd", "wordd"}
    assert all_after("word", "typo:share=1,kinds=transpose") == {"owrd", "wrod", "wodr"}
    assert all_after("cat at", "typo:share=1,kinds=drop,shortest=3") == {"ct at", "ca at"}
    one_key = all_after("word", "typo:share=1,kinds=neighbour")
    assert all(sum(a != b for a, b in zip("word", made, strict=True)) == 1 for made in one_key)
    assert "qord" in one_key
    assert all_after("हैदराबाद", "typo:share=1,kinds=transpose", language="hi") == {
        "दहैराबाद", "हैरादबाद", "हैदबाराद", "हैदरादबा",
    }  # fmt: skip


def test_what_a_scanner_reads() -> None:
    assert all_after("l", "ocr:share=1") == {"1", "I", "|"}
    assert "modem" in all_after("modern", "ocr:share=1")
    assert "corner" in all_after("comer", "ocr:share=1")
    assert all_after("घर", "ocr:share=1", language="hi") == {"धर", "घस", "घख"}
    assert after("xyz", "ocr:share=1") in {"xvz", "xyz"}
    far = all_after("billing", "ocr:share=1,errors=3")
    assert any(sum(a != b for a, b in zip("billing", made, strict=False)) > 1 for made in far)


def test_blanks_too_many_and_too_few_stay_inside_mentions() -> None:
    text, tags = "New York is big", "B-LOC I-LOC O O"
    joined = all_after(text, "whitespace:share=1,kinds=join", tags)
    assert joined == {"NewYork isbig"}
    one = run(data([sentence("s", text, tags)]), "whitespace:share=1,kinds=join").variants[0].sentence
    assert one.spans == (Span(0, 1, "LOC"),)
    touching = run(data([sentence("s", "Anna Bo", "B-PER B-PER")]), "whitespace:share=1,kinds=join").variants[0]
    assert touching.status == "not-applicable"
    assert all_after("ab", "whitespace:share=1,kinds=split") == {"a b"}
    assert all_after("है", "whitespace:share=1,kinds=split") == {"है"}


def test_marks_go_come_and_change() -> None:
    text, tags = '" Yes , " said A.B. - Inc. , now ...', "O O O O O B-ORG I-ORG I-ORG O O O"
    assert after(text, "punctuation", tags) == "Yes said A.B. - Inc. now"
    assert after(text, "punctuation:curly", tags) == "“ Yes , ” said A.B. - Inc. , now …"
    assert after("“ Ja – nein ” …", "punctuation:straight") == '" Ja - nein " ...'
    assert after("! ?", "punctuation") == "!"
    assert after("$ 5 % #NER 🙂 .", "punctuation") == "$ 5 % #NER 🙂"
    added = all_after("Anna Bo slept", "punctuation:add", "B-PER I-PER O")
    assert {made.split()[-1] for made in added if made.startswith("Anna Bo slept ")} == {",", "-", "...", "!", ";"}
    assert not any(made.startswith("Anna ,") for made in added)


def test_sentences_joined() -> None:
    corpus = data([sentence("a", "Anna slept .", "B-PER O O"), sentence("b", "in Bonn", "O B-LOC")])
    made = by_parent(run(corpus, "concat"))
    assert made["a"].sentence.tokens == ("Anna", "slept", ".", "in", "Bonn")
    assert made["a"].sentence.spans == (Span(0, 1, "PER"), Span(4, 5, "LOC"))
    assert made["a"].mentions == (0,)
    before = by_parent(run(corpus, "concat:order=before"))["a"]
    assert before.sentence.tokens == ("in", "Bonn", "Anna", "slept", ".")
    assert before.mentions == (1,)
    alone = run(data([sentence("a", "Anna slept .", "B-PER O O")]), "concat").variants[0]
    assert (alone.status, alone.reason) == ("unchanged", "no other candidate")


@pytest.mark.parametrize(("name", "order", "initials"), [
    ("Angela Dorothea Merkel", "Merkel , Angela Dorothea", "A. D. Merkel"),
    ("Ursula von der Leyen", "von der Leyen , Ursula", "U. von der Leyen"),
    ("Jean-Paul Sartre", "Sartre , Jean-Paul", "J.-P. Sartre"),
    ("J. Doe", "Doe , J.", "J. Doe"),
    ("क्षितिज कुमार", "कुमार , क्षितिज", "क्षि. कुमार"),
    ("Merkel", "Merkel", "Merkel"),
    ("de Gaulle", "de Gaulle", "de Gaulle"),
    ("Lind , Anna", "Lind , Anna", "Lind , Anna"),
])  # fmt: skip
def test_names_as_forms_write_them(name: str, order: str, initials: str) -> None:
    tags = ["B-PER", *["I-PER"] * name.count(" ")]
    text, tags_text = f"{name} sang", " ".join([*tags, "O"])
    assert after(text, "name-order", tags_text) == f"{order} sang"
    assert (
        after(text, "name-order:plain", tags_text) == f"{order.replace(', ', '') if ' , ' not in name else order} sang"
    )
    assert after(text, "initials", tags_text) == f"{initials} sang"
    made = run(data([sentence("s", text, tags_text)]), "name-order")
    assert new_surfaces(made) == [order]


def test_people_only() -> None:
    made = run(data([sentence("s", "New York", "B-LOC I-LOC")]), "initials")
    assert made.variants[0].status == "not-applicable"
    assert any("no label for people" in note for note in made.notes)
    assert new_surfaces(run(data([sentence("s", "New York", "B-LOC I-LOC")]), "initials:types=LOC")) == ["N. York"]


def test_the_share_of_words_is_what_was_asked() -> None:
    words = " ".join(["keyboard"] * 2000)
    made = after(words, "typo:share=0.25").split()
    assert 400 < sum(word != "keyboard" for word in made) < 600
    assert after(words, "case:upper,share=0.5").split().count("KEYBOARD") in range(900, 1100)


@pytest.mark.parametrize(("spec", "words"), [
    ("typo:share=0", "share"),
    ("typo:kinds=slip", "kinds: expected some of neighbour, drop, double, transpose, got slip"),
    ("typo:shortest=1", "shortest"),
    ("ocr:errors=0", "errors"),
    ("whitespace:kinds=tab", "kinds: expected some of split, join"),
    ("case:camel", "expected one of lower, upper, title"),
    ("punctuation:share=2", "share"),
])  # fmt: skip
def test_options_that_do_not_fit_are_one_message(spec: str, words: str) -> None:
    with pytest.raises(SpecError, match=words.replace("(", r"\(")):
        run(data([sentence("s", "a b")]), spec)


def test_the_suite() -> None:
    chosen = chains_from(["noise"], "en")
    assert [chain.name for chain in chosen.chains] == [
        "case_lower", "case_upper", "typo", "ocr", "whitespace", "punctuation", "diacritics", "concat", "name-order",
        "initials",
    ]  # fmt: skip
    assert not chosen.notes


def test_a_language_without_a_keyboard_is_said() -> None:
    french = data([sentence("s", "Bonjour Monsieur Dupont")], "fr")
    made = run(french, "typo:share=1")
    assert any(
        "no keyboard of fr is known, keys are those of the English one (de, en, hi" in note for note in made.notes
    )
    assert not any("keyboard" in note for note in run(data([sentence("s", "Guten Tag")], "de"), "typo:share=1").notes)
    with pytest.raises(SpecError, match="expected one of de, en, hi"):
        run(french, "typo:language=fr")

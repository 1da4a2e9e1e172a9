"""Paraphrases by sequence-to-sequence models of transformers: one that paraphrases, or two that translate there and
back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Literal

from nerquake.core.dataset import Dataset
from nerquake.core.errors import SpecError
from nerquake.core.options import positional
from nerquake.core.paraphrases import Answer, Candidate
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.language.paraphrase_seq2seq_run import Decoding, Engine, Question, load_engine, see_that_it_answers
from nerquake.language.paraphrase_seq2seq_shield import Shielded, check_form, shielded
from nerquake.language.paraphrase_text import EMPTY, NO_WORD, SAME, different, has_word
from nerquake.models.checkpoint import Source, fingerprint_of, quiet, source_of
from nerquake.models.means import Device, Means, Plugin, means_of

PLUGIN = Plugin("paraphraser", "seq2seq")
TOO_LONG = "longer than the model takes"
NO_END = "the model's answer has no end"


@dataclass(frozen=True, slots=True)
class Seq2SeqParaphraser:
    """A sequence-to-sequence model of transformers, or two that translate there and back: folders, or hub names.

    The model is shown the sentence as text and gives its likeliest answers, found by beams: the same each time. A
    sentence or translation that is longer than the model takes is not cut but left out, and so is an answer that does
    not end. With draw=yes answers are drawn instead, which depends on the seed and the sentence: they differ more from
    one another, more of them are wrong or lose a name, and noise for the whole vocabulary is made for every piece.

    Sums of floating-point numbers depend on what is summed beside them. With batch=1 an answer depends on its sentence
    alone. With more it is quicker, above all on a GPU, and of two answers that are equally likely but for the last
    digits another may come first, the more often in bfloat16.

    model          folder or name
    back           a second model, which translates the first one's answers back
    candidates     paraphrases to ask for; with `back`, translations, each with its likeliest way back
    prefix         what the model wants before the sentence, such as prefix="paraphrase: " for many a T5
    back_prefix    the same for `back`
    shield         mentions are shown as placeholders, such as shield=ENT#, the # being a number, and put back; a
                   candidate that does not have each of them once stays as it is, so that its mentions count as lost
    beams          answers that are followed at a time; 0: as many as candidates, 4 at least
    draw           draw answers by their probability instead
    temperature    with draw: below 1 likelier pieces are drawn more often
    top_p          with draw: only from the likeliest pieces that have this share of the probability together
    batch          sentences that the model takes at a time
    max_length     pieces that the model takes at once, special ones included; 0: as it says itself
    device         auto: a GPU where there is one
    precision      fp32; bf16 is quicker and less exact; auto: bf16 where the processor or GPU multiplies in it
    revision       branch, tag or commit of a model on the hub
    back_revision  the same for `back`
    """

    model: str = positional()
    back: str = ""
    candidates: int = 5
    prefix: str = ""
    back_prefix: str = ""
    shield: str = ""
    beams: int = 0
    draw: bool = False
    temperature: float = 1.0
    top_p: float = 0.95
    batch: int = 1
    max_length: int = 0
    device: Device = "auto"
    precision: Literal["auto", "fp32", "bf16"] = "fp32"
    revision: str = ""
    back_revision: str = ""

    def __post_init__(self) -> None:
        if not self.model:
            raise SpecError("seq2seq needs a folder or a name: seq2seq:MODEL")
        if self.candidates < 1 or self.batch < 1 or self.max_length < 0 or self.beams < 0:
            raise SpecError("seq2seq: candidates and batch are 1 or more, beams and max_length 0 or more")
        if 0 < self.beams < self.candidates:
            raise SpecError(f"seq2seq: beams={self.beams} find no more than {self.beams} candidates")
        if self.temperature <= 0 or not 0 < self.top_p <= 1:
            raise SpecError("seq2seq: temperature is above 0, top_p above 0 and at most 1")
        if not self.back and (self.back_prefix or self.back_revision):
            raise SpecError("seq2seq: back_prefix and back_revision are about a second model: back=MODEL")
        if self.shield:
            check_form(self.shield)

    def lacks(self, language: str) -> str:
        """Nothing: whoever names a model knows its language."""
        return ""

    def fitted(self, corpus: Dataset, language: str) -> Seq2SeqParaphraser:
        """Itself, if there are models of this kind, and what they are to run on. No weights are loaded.

        Raises:
            UsageError: there is no such device or precision here.
            InputError: a model is none of this kind.
            UnknownName: there is no such folder, and the hub does not have it or cannot be asked.
        """
        self._means()
        with quiet():
            for source in self._sources():
                see_that_it_answers(source)
        return self

    def paraphrase(self, sentences: Sequence[Sentence], draws: Draws) -> list[Answer]:
        """Each sentence's candidates, likeliest first.

        Raises:
            InputError: a model cannot be loaded, or is none of this kind.
            UnknownName: there is no such folder, and the hub does not have it or cannot be asked.
        """
        with quiet():
            engines = [load_engine(source, self._means(), self.max_length) for source in self._sources()]
            asked = [_Asked(sentence, self.shield, draws.of(sentence.id)) for sentence in sentences]
            self._there(engines[0], [one for one in asked if not one.reason])
            if self.back:
                self._and_back(engines[1], [one for one in asked if not one.reason])
            return [one.answer(self._named) for one in asked]

    def about(self) -> tuple[str, ...]:
        """One line on what runs: models, device, precision, versions, how answers are found."""
        found = f"{self._decoding.beams} beams"
        if self.draw:
            found = f"draws, temperature {self.temperature:g}, top_p {self.top_p:g}"
        together = "one sentence at a time" if self.batch == 1 else f"{self.batch} sentences at a time"
        return (f"{self._named} runs on {self._means()}; answers by {found}, {together}",)

    def fingerprint(self) -> str:
        """A hash over the models' files, what they run on (device, precision, versions), and the options."""
        told = {"model", "back", "device", "precision"}
        options = repr([getattr(self, field.name) for field in fields(self) if field.name not in told])
        return f"{' '.join(fingerprint_of(source) for source in self._sources())}, {self._means()}, {options}"

    @property
    def _named(self) -> str:
        return f"{PLUGIN.name}:{self.model}{f',back={self.back}' if self.back else ''}"

    @property
    def _decoding(self) -> Decoding:
        if self.draw:
            return Decoding(0, self.temperature, self.top_p)
        return Decoding(self.beams or max(4, self.candidates))

    def _sources(self) -> list[Source]:
        """The model, and the second where there is one."""
        second = [source_of(self.back, self.back_revision, PLUGIN)] if self.back else []
        return [source_of(self.model, self.revision, PLUGIN), *second]

    def _means(self) -> Means:
        return means_of(PLUGIN, self.device, self.precision)

    def _there(self, engine: Engine, asked: Sequence[_Asked]) -> None:
        """The first model's answers."""
        questions, askers = [], []
        for one in asked:
            pieces = engine.pieces(self.prefix + one.shown.text)
            if pieces is None:
                one.reason = TOO_LONG
            else:
                seeds = tuple(one.draws.number("there", at) for at in range(self.candidates))
                questions.append(Question(pieces, seeds))
                askers.append(one)
        for one, texts in zip(askers, engine.answers(questions, self._decoding, self.batch), strict=True):
            one.texts = texts
            one.reason = "" if texts else NO_END

    def _and_back(self, engine: Engine, asked: Sequence[_Asked]) -> None:
        """The second model's answers to those of the first, each of which is asked about once."""
        questions, askers = [], []
        for one in asked:
            texts, one.texts = [text for text in dict.fromkeys(one.texts) if text], []
            one.reason = "" if texts else EMPTY
            for at, text in enumerate(texts):
                pieces = engine.pieces(self.back_prefix + text)
                if pieces is None:
                    one.reason = TOO_LONG
                else:
                    questions.append(Question(pieces, (one.draws.number("back", at),)))
                    askers.append(one)
        for one, found in zip(askers, engine.answers(questions, self._decoding, self.batch), strict=True):
            one.texts += found
            one.reason = one.reason or ("" if found else NO_END)


class _Asked:
    """A sentence on its way through the models.

    reason  why there is nothing, or not all; it counts where there is nothing
    """

    def __init__(self, sentence: Sentence, form: str, draws: Draws) -> None:
        self.draws = draws
        self.original = sentence.text
        self.shielded = shielded(sentence, form) if form and sentence.spans else None
        self.shown = self.shielded or Shielded(sentence.text, form, {})
        self.texts: list[str] = []
        self.reason = "" if has_word(sentence) else NO_WORD

    def answer(self, name: str) -> Answer:
        """What came of it: candidates that differ from one another and from the sentence."""
        restored = [self.shielded.restored(text) if self.shielded else text for text in self.texts]
        found = different(restored, self.original)
        if not found:
            reason = (SAME if any(restored) else EMPTY) if restored else self.reason
            return Answer(reason=reason)
        return Answer(tuple(Candidate(text, rules=(name,)) for text in found))

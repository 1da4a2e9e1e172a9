"""Stanza's entity recognisers on sentences that are tokenised already, offline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from nerquake.core.errors import PluginError
from nerquake.core.options import positional
from nerquake.core.protocols import Tagging
from nerquake.core.scheme import BIOES, Repair
from nerquake.models.quiet import quiet
from nerquake.models.stanza import StanzaModel
from nerquake.taggers.changed_text import place_tokens
from nerquake.taggers.seen import SeenTokens, seen_tokens

SHOWN = 600
"""Characters of a sentence in a message."""


@dataclass(frozen=True, slots=True)
class StanzaTagger:
    """A Stanza entity recogniser: a folder as `stanza.download` makes it, or one saved model file. Nothing is fetched.

    Tokens are taken as they are, without splitting or expanding them; empty and blank ones are unseen.

    model              the folder with resources.json, or a .pt file
    lang               the language, as Stanza names it
    package            which recognisers of the folder, by name; more than one are merged, earlier ones win
    pretrain           word vectors that a .pt file needs
    forward_charlm     the forward character model that a .pt file needs
    backward_charlm    the backward character model that a .pt file needs
    repair             what becomes of ill-formed tags
    batch              sentences that Stanza takes at a time
    device             where it runs; auto: a graphics processor where there is one
    """

    model: str = positional()
    lang: str = "en"
    package: tuple[str, ...] = ()
    pretrain: str = ""
    forward_charlm: str = ""
    backward_charlm: str = ""
    repair: Repair = "conlleval"
    batch: int = 32
    device: Literal["auto", "cpu", "cuda"] = "auto"

    def __post_init__(self) -> None:
        if not self.model:
            raise ValueError("it needs a model: stanza:FOLDER,lang=de or stanza:FILE.pt,lang=de")
        if self.batch < 1:
            raise ValueError(f"batch={self.batch}: at least 1 is expected")

    def labels(self) -> frozenset[str]:
        """The labels that its recognisers know."""
        processor = self._nlp().processors["ner"]
        return frozenset(tag for at in range(len(processor.trainers)) for tag in processor.get_known_tags(at))

    def predict(self, batch: Sequence[tuple[str, ...]]) -> list[Tagging]:
        """The entities of each sentence."""
        asked = [seen_tokens(tokens, str.strip) for tokens in batch]
        shown = [one for one in asked if one.tokens]
        nlp = self._nlp()
        found: Iterator[Tagging] = iter(self._tagged(nlp, shown) if shown else ())
        return [next(found) if one.tokens else one.restore(Tagging(())) for one in asked]

    def fingerprint(self) -> str:
        """A hash over Stanza's version, the repair and the files that it reads."""
        return self._settings().fingerprint(self.repair)

    def _nlp(self) -> Any:
        return self._settings().pipeline()

    def _settings(self) -> StanzaModel:
        files = {"pretrain": self.pretrain, "forward_charlm": self.forward_charlm,
                 "backward_charlm": self.backward_charlm}  # fmt: skip
        given = tuple((key, file) for key, file in files.items() if file)
        return StanzaModel(self.model, self.lang, "ner", self.package, given, self.batch, self.device)

    def _tagged(self, nlp: Any, shown: Sequence[SeenTokens]) -> list[Tagging]:
        with quiet("stanza"):
            sentences = nlp([list(one.tokens) for one in shown]).sentences
        return [
            one.restore(_tagging(one, sentence, self.repair)) for one, sentence in zip(shown, sentences, strict=True)
        ]


def _tagging(one: SeenTokens, sentence: Any, repair: Repair) -> Tagging:
    """Its tags as spans; what its scheme does not allow is repaired as asked and counted.

    Raises:
        PluginError: `repair` is "none" and there are invalid transitions.
    """
    tags = [token.ner or "O" for token in sentence.tokens]
    invalid = len(BIOES.violations(tags))
    if invalid and repair == "none":
        shown = " ".join(f"{token}/{tag}" for token, tag in zip(one.tokens, tags, strict=False))
        raise PluginError(
            f"stanza gave ill-formed {BIOES.name} tags, and repair is none, in the sentence {_short(shown)} "
            "(--repair conlleval|discard reads them)"
        )
    placed = place_tokens(one.tokens, [token.text for token in sentence.tokens], BIOES.decode(tags, repair))
    return Tagging(placed.spans, placed.unseen, invalid, placed.notes)


def _short(text: str) -> str:
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "…")

"""A language model behind an OpenAI-compatible chat endpoint as a recogniser."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from nerquake.core.dataset import Dataset
from nerquake.core.errors import UsageError
from nerquake.core.options import option
from nerquake.core.protocols import Tagging
from nerquake.models.chat_client import ChatEndpoint, MalformedAnswer
from nerquake.models.chat_options import ChatOptions
from nerquake.models.chat_pool import answers_of
from nerquake.taggers.changed_text import Name, place_names
from nerquake.taggers.llm_prompt import TASK, messages, read_answer


@dataclass(frozen=True, slots=True)
class LlmTagger(ChatOptions):
    """Asks a language model for the mentions of each sentence, at temperature 0, and finds them in the sentence.

    The sentences leave this machine if the address is another one's. The key comes from the environment alone and
    stands in no output. A mention is looked for left to right; one that does not stand in the sentence, a label that
    was not asked for and an answer that cannot be read are counted and reported. A sentence without a usable answer
    counts as unseen. Answers are kept between runs as those of other models are: what the server changes behind the
    model's name is not noticed.

    url           base address, such as http://127.0.0.1:8000/v1, or the whole one, ending in /chat/completions
    model         the model's name
    types         labels to ask for; those of the gold data where none are named
    key_env       the environment variable that holds the key, 8 characters or more; empty: send none
    seed          sent along, for servers that heed it
    retries       further tries after an answer that cannot be read or a failure of the server
    timeout       seconds for one answer
    patience      seconds to wait in all, for one sentence, when the server asks to wait
    concurrency   questions at a time
    json_mode     ask the server for JSON (response_format); some refuse that
    """

    types: tuple[str, ...] = option("labels", ())

    def fitted(self, gold: Dataset, extension: str) -> LlmTagger:
        """The same, asking for the gold data's labels where none are named."""
        return self if self.types else replace(self, types=tuple(gold.labels))

    def labels(self) -> frozenset[str] | None:
        """The labels that it asks for."""
        return frozenset(self.types) or None

    def predict(self, batch: Sequence[tuple[str, ...]]) -> list[Tagging]:
        """The mentions of each sentence; equal sentences are asked about once.

        Raises:
            UsageError: no labels to ask for, or a key that cannot be sent.
            ServerError: the server refuses, cannot be reached, or keeps failing.
        """
        if not self.types:
            raise UsageError("llm has no labels to ask for: name them with labels=PER|LOC")
        endpoint = self.endpoint()
        different = list(dict.fromkeys(batch))
        found = answers_of(lambda tokens: self._answer(endpoint, tokens), different, self.concurrency, endpoint.stop)
        answers = dict(zip(different, found, strict=True))
        return [answers[tokens] for tokens in batch]

    def fingerprint(self) -> str:
        """A hash over the address, the model's name, the question and the seed."""
        asked = [self.address, self.model, list(self.types), self.seed, self.json_mode, TASK]
        return sha256(json.dumps(asked).encode()).hexdigest()

    def _answer(self, endpoint: ChatEndpoint, tokens: tuple[str, ...]) -> Tagging:
        """The answer about one sentence, with a note for everything in it that could not be used."""
        if not any(token.strip() for token in tokens):
            return Tagging((), tuple(range(len(tokens))))
        wrong: list[str] = []
        for attempt in range(self.retries + 1):
            try:
                names = read_answer(endpoint.ask(self.body(messages(tokens, self.types, again=attempt > 0))))
            except MalformedAnswer as error:
                wrong.append(str(error))
                continue
            return self._placed(tokens, names, wrong)
        note = f"no usable answer in {len(wrong)} tries: {wrong[-1]}"
        return Tagging((), tuple(range(len(tokens))), notes=(note,))

    def _placed(self, tokens: tuple[str, ...], names: Sequence[Name], wrong: Sequence[str]) -> Tagging:
        known = {label.casefold(): label for label in self.types} | {label: label for label in self.types}
        right, notes = [], [f"{len(wrong)} unreadable before a usable answer: {wrong[-1]}"] if wrong else []
        for name in names:
            label = known.get(name.label) or known.get(name.label.strip().casefold())
            if label is None:
                notes.append(f"{name.text!r} has the label {name.label!r}, which was not asked for")
            else:
                right.append(Name(name.text, label))
        placed = place_names(tokens, right)
        unseen = tuple(index for index, token in enumerate(tokens) if not token)
        return Tagging(placed.spans, unseen, notes=(*notes, *placed.notes))

"""Paraphrases by a language model behind an OpenAI-compatible chat endpoint."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from threading import Lock
from typing import NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.errors import ServerError
from nerquake.core.paraphrases import Answer, Candidate
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.language.paraphrase_llm_prompt import TASK, Unreadable, messages, read_answer
from nerquake.language.paraphrase_text import EMPTY, NO_WORD, SAME, different, has_word, surface
from nerquake.models.chat_client import ChatEndpoint, MalformedAnswer, Refused, TimedOut
from nerquake.models.chat_options import ChatOptions
from nerquake.models.chat_pool import answers_of

REFUSED = "refused"
TIMED_OUT = "timed out"
UNREAD = "the answer cannot be read"
TOO_LONG = "far longer than the sentence"
LONGEST = (4, 200)
"""A candidate has at most so many times the sentence's characters, and so many more: else it is no paraphrase."""


class Question(NamedTuple):
    """What a sentence is asked as: its text, and its mentions as they stand in it."""

    text: str
    keep: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LlmParaphraser(ChatOptions):
    """Asks a language model for other ways to say each sentence, at temperature 0, naming the mentions to keep.

    The sentences leave this machine if the address is another one's; none is sent anywhere but to the address named.
    The key comes from the environment alone and stands in no output. A sentence that the model refuses, whose answer
    cannot be read or does not come in time, has no candidate, for a reason that is counted. What the model makes of the
    names is seen to afterwards. Each sentence costs a question, and up to `retries` more where its answer cannot be
    read; what the server changes behind the model's name is not noticed.

    url           base address, such as http://127.0.0.1:8000/v1, or the whole one, ending in /chat/completions
    model         the model's name
    candidates    paraphrases to ask for
    language      of the sentences, as the model is told it; by default the data set's
    key_env       the environment variable that holds the key, 8 characters or more; empty: send none
    seed          sent along, for servers that heed it
    retries       further tries after an answer that cannot be read or a failure of the server
    timeout       seconds for one answer
    patience      seconds to wait in all, for one sentence, when the server asks to wait
    concurrency   questions at a time
    json_mode     ask the server for JSON (response_format); some refuse that
    """

    candidates: int = 5
    language: str = ""

    def __post_init__(self) -> None:
        ChatOptions.__post_init__(self)
        if self.candidates < 1:
            raise ValueError("candidates is 1 or more")

    def lacks(self, language: str) -> str:
        """Nothing: whoever names a model knows its languages."""
        return ""

    def fitted(self, corpus: Dataset, language: str) -> LlmParaphraser:
        """The same, with the data set's language where none is named. Nothing is sent.

        Raises:
            UsageError: the key cannot be sent.
        """
        self.endpoint()
        return self if self.language else replace(self, language=language)

    def paraphrase(self, sentences: Sequence[Sentence], draws: Draws) -> list[Answer]:
        """Each sentence's candidates, as the model orders them; equal sentences are asked about once.

        Raises:
            UsageError: a key that cannot be sent.
            ServerError: the server refuses to be asked, cannot be reached, keeps failing, or answers nothing in time.
        """
        asked = [_question(sentence) if has_word(sentence) else None for sentence in sentences]
        questions = list(dict.fromkeys(one for one in asked if one is not None))
        endpoint, count = self.endpoint(), _Count(self.concurrency)
        try:
            found = answers_of(
                lambda one: self._answer(endpoint, one, count), questions, self.concurrency, endpoint.stop
            )
            count.see_that_it_answers(len(questions))
        except ServerError as error:
            raise ServerError(
                f"{error}. Of {len(questions)} sentences asked about together {count.answered} were answered, and "
                "these answers are lost; those about sentences before them are kept where the run writes to a folder, "
                "and the same command goes on from there"
            ) from error
        answers = dict(zip(questions, found, strict=True))
        return [Answer(reason=NO_WORD) if one is None else answers[one] for one in asked]

    def about(self) -> tuple[str, ...]:
        """Which model is asked where, and what a sentence costs."""
        sent = f"about {len(TASK.split())} words and the sentence"
        return (
            f"llm: {self.model} at {self.address}, where the sentences are sent, temperature 0, seed {self.seed}; each "
            f"costs one question, up to {self.retries + 1} where answers cannot be read, of {sent}, for an answer of "
            f"{self.candidates} times the sentence",
        )

    def fingerprint(self) -> str:
        """A hash over the address, the model's name, the question and the seed."""
        asked = [self.address, self.model, self.candidates, self.language, self.seed, self.json_mode, TASK]
        return sha256(json.dumps(asked).encode()).hexdigest()

    def _answer(self, endpoint: ChatEndpoint, question: Question, count: _Count) -> Answer:
        """The answer about one sentence."""
        reason = UNREAD
        for attempt in range(self.retries + 1):
            asked = messages(*question, self.language, self.candidates, again=attempt > 0)
            try:
                answer = self._chosen(question, read_answer(endpoint.ask(self.body(asked))))
            except TimedOut as error:
                count.late(error)
                return Answer(reason=TIMED_OUT)
            except Refused:
                answer = Answer(reason=REFUSED)
            except MalformedAnswer as error:
                reason = error.kind if isinstance(error, Unreadable) else UNREAD
                continue
            count.came()
            return answer
        count.came()
        return Answer(reason=reason)

    def _chosen(self, question: Question, texts: Sequence[str]) -> Answer:
        times, more = LONGEST
        short = [text for text in texts if len(text) <= times * len(question.text) + more]
        found = different(short, question.text)[: self.candidates]
        if found:
            return Answer(tuple(Candidate(text, rules=(f"llm:{self.model}",)) for text in found))
        return Answer(reason=TOO_LONG if len(short) < len(texts) else SAME if any(texts) else EMPTY)


def _question(sentence: Sentence) -> Question:
    return Question(sentence.text, tuple(surface(sentence, span.start, span.end) for span in sentence.spans))


class _Count:
    """How many answers came, and whether the server still gives any: one slow sentence is no reason to stop, but a
    server that is silent about all of them is.

    answered  sentences with an answer, whatever it says
    """

    def __init__(self, concurrency: int) -> None:
        self.answered, self._in_a_row, self._most = 0, 0, concurrency
        self._last: TimedOut | None = None
        self._lock = Lock()

    def came(self) -> None:
        """An answer has come."""
        with self._lock:
            self.answered += 1
            self._in_a_row = 0

    def late(self, error: TimedOut) -> None:
        """An answer did not come.

        Raises:
            TimedOut: of more in a row than are asked about at a time none came.
        """
        with self._lock:
            self._in_a_row += 1
            self._last = error
            if self._in_a_row > self._most:
                raise error

    def see_that_it_answers(self, asked: int) -> None:
        """Raise the last `TimedOut` where several sentences were asked about and none was answered."""
        if self._last is not None and not self.answered and asked > 1:
            raise self._last

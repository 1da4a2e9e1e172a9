"""The options of everything that asks a language model behind an OpenAI-compatible chat endpoint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

from nerquake.core.options import positional
from nerquake.models.chat_client import ChatEndpoint, endpoint_of, key_from


@dataclass(frozen=True, slots=True)
class ChatOptions:
    """Where a language model is asked, and how.

    url           base address, such as http://127.0.0.1:8000/v1, or the whole one, ending in /chat/completions
    model         the model's name
    key_env       the environment variable that holds the key, 8 characters or more; empty: send none
    seed          sent along, for servers that heed it
    retries       further tries after an answer that cannot be read or a failure of the server
    timeout       seconds for one answer
    patience      seconds to wait in all, for one sentence, when the server asks to wait
    concurrency   questions at a time
    json_mode     ask the server for JSON (response_format); some refuse that
    """

    url: str = positional()
    model: str = ""
    _: KW_ONLY
    key_env: str = "OPENAI_API_KEY"
    seed: int = 0
    retries: int = 2
    timeout: float = 60.0
    patience: float = 300.0
    concurrency: int = 4
    json_mode: bool = False

    def __post_init__(self) -> None:
        endpoint_of(self.url)
        if not self.model:
            raise ValueError("it needs model=NAME")
        if self.concurrency < 1 or self.retries < 0 or self.timeout <= 0 or self.patience < 0:
            raise ValueError("concurrency is at least 1, timeout above 0, retries and patience are not negative")

    @property
    def address(self) -> str:
        """The whole address."""
        return endpoint_of(self.url)

    def endpoint(self) -> ChatEndpoint:
        """Whom to ask, with the key.

        Raises:
            UsageError: the key cannot be sent.
        """
        key = key_from(self.key_env, self.address)
        return ChatEndpoint(self.address, key, self.key_env, self.timeout, self.retries, self.patience)

    def body(self, messages: Sequence[dict[str, str]]) -> dict[str, object]:
        """What is sent for one question: the likeliest answer is asked for, so that it is the same each time."""
        asked: dict[str, object] = {
            "model": self.model,
            "messages": list(messages),
            "temperature": 0,
            "seed": self.seed,
        }
        return {**asked, "response_format": {"type": "json_object"}} if self.json_mode else asked

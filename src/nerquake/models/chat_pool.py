"""Several questions at a time, without waiting for the answers once the run is over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import TypeVar

Question = TypeVar("Question")
Answer = TypeVar("Answer")


def answers_of(
    ask: Callable[[Question], Answer], questions: Sequence[Question], at_once: int, stop: Event
) -> list[Answer]:
    """The answer to each question, in their order.

    The threads are daemons: an executor's are waited for when the program ends, so that an interrupt would last as
    long as the slowest server. `stop` is set at the end, also after an interrupt or a failure.

    Raises:
        BaseException: whatever `ask` raises first; no further question is begun then.
    """
    waiting: SimpleQueue[tuple[int, Question]] = SimpleQueue()
    done: SimpleQueue[tuple[int, Answer] | BaseException] = SimpleQueue()
    for numbered in enumerate(questions):
        waiting.put(numbered)

    def work() -> None:
        try:
            while not stop.is_set():
                at, question = waiting.get_nowait()
                done.put((at, ask(question)))
        except Empty:
            return
        except BaseException as error:
            done.put(error)

    found: dict[int, Answer] = {}
    try:
        for at in range(min(at_once, len(questions))):
            Thread(target=work, name=f"chat_{at}", daemon=True).start()
        while len(found) < len(questions):
            one = done.get()
            if isinstance(one, BaseException):
                raise one
            found[one[0]] = one[1]
    finally:
        stop.set()
    return [found[at] for at in range(len(questions))]

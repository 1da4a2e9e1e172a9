"""A chat endpoint on this machine that answers as it is told to, well or badly."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from nerquake.taggers.llm import LlmTagger

KEY = "sk-not-a-real-key-4711"
ANNA = ("Anna", "met", "Bo", "in", "Bonn", ".")


@dataclass
class Reply:
    """What the server does with one request.

    text     the body, as text; a mapping is written as JSON
    drip     send a byte at a time with this many seconds between them
    delay    seconds before anything is sent
    cut      say that the body is longer than it is, and close the connection
    """

    text: Any = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    cut: bool = False

    @property
    def body(self) -> bytes:
        return (self.text if isinstance(self.text, str) else json.dumps(self.text)).encode()


def saying(content: Any, **more: Any) -> Reply:
    """A chat completion with this content, as JSON where it is no text."""
    text = content if isinstance(content, str) else json.dumps(content)
    return Reply({"choices": [{"message": {"role": "assistant", "content": text}}]}, **more)


def mentions(*pairs: tuple[str, str]) -> Reply:
    """A well-formed answer: texts with labels."""
    return saying({"mentions": [{"text": text, "label": label} for text, label in pairs]})


Rule = Callable[[dict[str, Any]], Reply]


@dataclass
class ChatServer:
    """Where it is, what it was asked, and what it has yet to say.

    script   replies to the next requests; then `rule` decides
    """

    url: str = ""
    script: list[Reply] = field(default_factory=list)
    rule: Rule = field(default=lambda body: mentions())
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    lock: Any = field(default_factory=threading.Lock)

    def will(self, *replies: Reply) -> None:
        self.script.extend(replies)

    def sentences(self) -> list[str]:
        """The sentences that it was asked about."""
        return [body["messages"][1]["content"] for body in self.bodies]


def capitals(body: dict[str, Any]) -> Reply:
    """Every capitalised word is a person."""
    words: Sequence[str] = body["messages"][1]["content"].split(" ")
    return mentions(*((word, "PER") for word in words if word[:1].isupper()))


@contextmanager
def chat_server() -> Iterator[ChatServer]:
    """A server that runs as long as the block."""
    state = ChatServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with state.lock:
                state.bodies.append(body)
                state.headers.append({**dict(self.headers), "path": self.path})
                state.times.append(time.monotonic())
                state.at_once += 1
                state.most_at_once = max(state.most_at_once, state.at_once)
                reply = state.script.pop(0) if state.script else state.rule(body)
            try:
                self._send(reply)
            except OSError:  # the other side has given up
                self.close_connection = True
            finally:
                with state.lock:
                    state.at_once -= 1

        def do_GET(self) -> None:
            raise AssertionError("nobody asks with GET")

        def _send(self, reply: Reply) -> None:
            time.sleep(reply.delay)
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body) + 100 * reply.cut))
            self.end_headers()
            if reply.drip:
                for byte in reply.body:
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                    time.sleep(reply.drip)
            else:
                self.wfile.write(reply.body)
            if reply.cut:
                self.close_connection = True

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def tagger(server: ChatServer, **more: Any) -> LlmTagger:
    """A recogniser that asks this server for PER and LOC."""
    return LlmTagger(server.url, "m", **{"types": ("PER", "LOC"), "retries": 1, "timeout": 5.0, **more})

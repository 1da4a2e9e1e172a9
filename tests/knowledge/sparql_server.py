"""A SPARQL endpoint on this machine: a few items of Wikidata's form, answered well or as badly as it is told to."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

ENTITY = "http://www.wikidata.org/entity/"
TRACE = (
    "SPARQL-QUERY: queryStr=SELECT ...\n"
    "java.util.concurrent.TimeoutException\n"
    "\tat java.util.concurrent.FutureTask.get(FutureTask.java:205)\n"
    "\tat com.bigdata.rdf.sail.webapp.QueryServlet.doPost(QueryServlet.java:272)\n"
)
Term = dict[str, str]


@dataclass
class Reply:
    """What the server does with one query; `text` None stands for the true answer.

    half     send half of the body, and say that this is all
    cut      say that the body is longer than it is, and close the connection
    after    what follows the body
    chunked  send it in chunks, without the last one if `cut`
    drip     seconds between bytes
    """

    text: str | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    half: bool = False
    cut: bool = False
    after: str = ""
    chunked: bool = False
    drip: float = 0.0


@dataclass
class Data:
    """What the endpoint knows.

    items   id -> what ("label", "alias", "P31", "P17", "sitelinks", "title", "P279") -> terms
    """

    items: dict[str, list[tuple[str, Term]]] = field(default_factory=dict)

    def add(self, item: str, what: str, value: str, language: str = "") -> None:
        term = {"type": "uri" if value.startswith("http") else "literal", "value": value}
        if language:
            term |= {"xml:lang": language}
        self.items.setdefault(item, []).append((what, term))

    def answer(self, query: str) -> dict[str, Any]:
        """The answer to a query of the builder's own forms."""
        page = re.search(r"wdt:P31 wd:(Q\d+) .*LIMIT (\d+) OFFSET (\d+)", query, re.DOTALL)
        if page:
            target = {"type": "uri", "value": ENTITY + page[1]}
            found = sorted(item for item, facts in self.items.items() if ("P31", target) in facts)
            start = int(page[3])
            rows = [{"item": {"type": "uri", "value": ENTITY + item}} for item in found[start : start + int(page[2])]]
            return _results(rows)
        values = re.search(r"VALUES \?item \{ (.*?) \}", query)
        assert values is not None, query
        asked = re.findall(r'BIND\("(\w+)" AS \?what\)', query)
        named = re.search(r"LANG\(\?value\) IN \((.*?)\)", query)
        languages = re.findall(r'"([\w-]+)"', named[1]) if named else []
        rows = []
        for item in re.findall(r"wd:(Q\d+)", values[1]):
            for what, term in self.items.get(item, []):
                if what in asked and (what not in ("label", "alias") or term.get("xml:lang") in languages):
                    key = {"type": "uri", "value": ENTITY + item}
                    rows.append({"item": key, "what": {"type": "literal", "value": what}, "value": term})
        return _results(rows)


def _results(rows: list[Any]) -> dict[str, Any]:
    return {"head": {"vars": ["item", "what", "value"]}, "results": {"bindings": rows}}


@dataclass
class SparqlServer:
    """Where it is, what it was asked, and how it will answer next.

    script   what it does with the next queries; then it answers truly
    cap      the most rows of an answer
    """

    url: str = ""
    data: Data = field(default_factory=Data)
    script: list[Reply] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    cap: int = 0
    lock: Any = field(default_factory=threading.Lock)

    def will(self, *replies: Reply) -> None:
        self.script.extend(replies)

    def body(self, query: str, reply: Reply) -> bytes:
        if reply.text is not None:
            return (reply.text + reply.after).encode()
        answer = self.data.answer(query)
        if self.cap:
            del answer["results"]["bindings"][self.cap :]
        body = json.dumps(answer).encode()
        return (body[: len(body) // 2] if reply.half else body) + reply.after.encode()


def _send(handler: BaseHTTPRequestHandler, reply: Reply, body: bytes) -> None:
    handler.send_response(reply.status)
    for name, value in reply.headers.items():
        handler.send_header(name, value)
    if reply.chunked:
        handler.send_header("Transfer-Encoding", "chunked")
        body = b"%x\r\n%s\r\n" % (len(body), body) + (b"" if reply.cut else b"0\r\n\r\n")
    else:
        handler.send_header("Content-Length", str(len(body) + 100 * reply.cut))
    handler.end_headers()
    for part in [bytes([byte]) for byte in body] if reply.drip else [body]:
        handler.wfile.write(part)
        handler.wfile.flush()
        time.sleep(reply.drip)
    if reply.cut:
        handler.close_connection = True


@contextmanager
def sparql_server() -> Iterator[SparqlServer]:
    """A server that runs as long as the block."""
    state = SparqlServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            (query,) = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())["query"]
            with state.lock:
                state.queries.append(query)
                state.headers.append(dict(self.headers))
                reply = state.script.pop(0) if state.script else Reply()
            try:
                _send(self, reply, state.body(query, reply))
            except OSError:  # the other side has given up
                self.close_connection = True

        def do_GET(self) -> None:
            raise AssertionError("nobody asks with GET")

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_address[1]}/sparql"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def cities(data: Data) -> None:
    """Three cities in two classes, what is above them, and things that are no items."""
    for item, label, hindi in (("Q64", "Berlin", "बर्लिन"), ("Q90", "Paris", "पेरिस"), ("Q1085", "Prague", "")):
        data.add(item, "P31", f"{ENTITY}Q515")
        data.add(item, "label", label, "en")
        data.add(item, "label", label, "fr")
        if hindi:
            data.add(item, "label", hindi, "hi")
        data.add(item, "sitelinks", str(len(label) * 10))
    data.add("Q64", "P31", f"{ENTITY}Q1549591")
    data.add("Q64", "P17", f"{ENTITY}Q183")
    data.add("Q64", "alias", "Berlin, Germany", "en")
    data.add("Q64", "title", "Berlin", "de")
    data.add("Q1085", "label", "Praha", "mul")
    data.add("Q90", "P31", "http://www.wikidata.org/.well-known/genid/abc")
    data.add("Q515", "label", "city", "en")
    data.add("Q515", "P279", f"{ENTITY}Q486972")
    data.add("Q1549591", "P279", f"{ENTITY}Q515")
    data.add("Q486972", "label", "human settlement", "en")
    data.add("Q486972", "P279", f"{ENTITY}Q486972")

"""Reading a page as a browser would, far enough to test it: elements, their attributes and their text."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "br", "input", "img", "link", "hr"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    parent: Element | None = None
    children: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    @property
    def words(self) -> str:
        return " ".join(self.text.split())

    def find(self, tag: str = "", **wanted: str) -> list[Element]:
        """All descendants with this tag and these attributes; `class_` asks for one class among several."""
        found = []
        for child in self.children:
            if isinstance(child, Element):
                if child._fits(tag, wanted):
                    found.append(child)
                found += child.find(tag, **wanted)
        return found

    def one(self, tag: str = "", **wanted: str) -> Element:
        (found,) = self.find(tag, **wanted)
        return found

    def _fits(self, tag: str, wanted: dict[str, str]) -> bool:
        if tag and self.tag != tag:
            return False
        classes = self.attributes.get("class", "").split()
        return all(
            value in classes if key == "class_" else self.attributes.get(key.replace("_", "-")) == value
            for key, value in wanted.items()
        )


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("root", {})
        self.at = self.root

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute stands twice in {tag}: {attrs}"
        made = Element(tag, {name: value or "" for name, value in attrs}, self.at)
        self.at.children.append(made)
        if tag not in VOID:
            self.at = made

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.at.children.append(Element(tag, {name: value or "" for name, value in attrs}, self.at))

    def handle_endtag(self, tag: str) -> None:
        assert self.at.tag == tag, f"</{tag}> ends <{self.at.tag}>"
        assert self.at.parent is not None
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.children.append(data)


def read_page(html: str) -> Element:
    """The page as a tree; raises AssertionError where a tag is not closed as it was opened."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert reader.at is reader.root, f"<{reader.at.tag}> is never closed"
    return reader.root

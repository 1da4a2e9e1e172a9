"""A cleft turned round: "It was Siemens who laid the line ." becomes "The one who laid the line was Siemens ."."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.english.named_as import KINDS
from nerquake.language.rewriting.english.nominal import ends, is_person, keeps, label_at, quoted, text_at
from nerquake.language.rewriting.tree import Part, Rewriting, Rule, RuleKind, Tree

LONGEST = 20


class CleftTurned(Rule):
    """`it was` with a name and a clause with `who` or `that`, whose subject the name is."""

    name = "cleft-turned"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for a sentence that is such a cleft and nothing else."""
        if text_at(tree, 0) != "it" or text_at(tree, 1) not in ("was", "is"):
            return
        name = next((span for span in tree.mentions if span[0] == 2), None)
        if name is None or text_at(tree, name[1]) not in ("who", "that"):
            return
        start = name[1] + 1
        end = next((at for at in range(start, len(tree.words)) if ends(tree, at)), len(tree.words))
        verb = tree.words[start] if start < end else None
        if verb is None or verb.tag not in ("VBD", "VBZ") or not 2 < end - start <= LONGEST or quoted(tree, 0, end):
            return
        if any(tree.words[at].text in (",", ";", ":") or tree.words[at].tag == "CC" for at in range(start, end)):
            return
        head = ("the", "one", "who") if is_person(tree, 2) else ("the", *KINDS.get(label_at(tree, 2), ()))
        if len(head) < 3:
            return
        parts: tuple[Part, ...] = (*head, (start, end), (1, 2), name)
        if keeps(tree, 0, end, parts):
            yield Rewriting(self.name, 0, end, parts)

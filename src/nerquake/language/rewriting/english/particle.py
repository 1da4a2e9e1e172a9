"""`picked up the phone` and `picked the phone up`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nerquake.language.rewriting.english.nominal import NOUNS, is_person, plain_phrase, tag_at, text_at
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree, Word

PAIRS = frozenset({
    "back_up", "blow_up", "bring_back", "bring_up", "buy_out", "call_off", "carry_away", "clean_up", "clear_up",
    "close_down", "cross_out", "cut_down", "cut_off", "cut_out", "drink_up", "drop_off", "dig_up", "eat_up",
    "fill_in", "fill_out", "fill_up", "finish_off", "fix_up", "gather_up", "give_away", "give_back", "hand_back",
    "hand_in", "hand_out", "hand_over", "hang_up", "hold_up", "keep_up", "knock_down", "knock_over", "knock_out",
    "lay_off", "leave_out", "let_in", "let_out", "lift_up", "light_up", "lock_up", "look_up", "mess_up", "mix_up",
    "pack_up", "pass_around", "pay_back", "pay_off", "pick_out", "pick_up", "play_down", "pull_down",
    "pull_up", "push_back", "put_away", "put_down", "put_off", "put_on", "put_out", "put_up", "read_out", "rip_off",
    "roll_up", "rule_out", "scare_off", "sell_off", "send_back", "send_off", "send_out", "set_up", "shake_off",
    "shut_down", "shut_off", "snap_up", "sort_out", "speed_up", "split_up", "step_up", "storm_in", "switch_off",
    "switch_on", "take_apart", "take_away", "take_back", "take_down", "take_off", "take_out", "take_over",
    "talk_over", "tear_down", "tear_up", "think_over", "throw_away", "throw_out", "tie_up", "tone_down", "top_up",
    "track_down", "trade_in", "try_on", "try_out", "turn_around", "turn_away", "turn_down", "turn_off", "turn_on",
    "turn_over", "use_up", "wake_up", "warm_up", "wash_up", "wear_out", "wipe_out", "wrap_up", "write_down",
    "drive_out", "sweep_away", "wash_away", "send_in", "drag_down", "drag_out", "break_up", "burn_down",
})  # fmt: skip
"""Verbs, by lemma, and particles that let an object in between without a change of meaning."""
SETTLED = frozenset({
    "place", "part", "advantage", "time", "ground", "speed", "steam", "weight", "act", "game", "show", "trick",
    "job", "fight", "face", "heart", "mind", "hope", "courage", "pace", "way", "step", "tab", "bill", "arms",
    "sail", "shop", "camp", "house",
})  # fmt: skip
"""Objects in phrases that are settled in one order, by lemma."""
GOES_ON = frozenset({"and", "or", "of", "-", "&", "in", "with"})
LONGEST = 3
"""Tokens of an object between the verb and its particle."""


@dataclass(frozen=True, slots=True)
class ParticleShift(Rule):
    """The particle changes sides with a short object that is no pronoun."""

    name: str = "particle"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each such verb."""
        for word in tree.words:
            if word.dep == "prt" and word.tag == "RP":
                verb = tree.words[word.head]
                thing = tree.child(verb.index, "dobj")
                if thing is not None and f"{verb.lemma}_{word.text.lower()}" in PAIRS:
                    found = self._shift(tree, verb, word, thing)
                    if found is not None:
                        yield found

    def _shift(self, tree: Tree, verb: Word, particle: Word, thing: Word) -> Rewriting | None:
        found = plain_phrase(tree, thing.index)
        if found is None or thing.pos not in NOUNS or thing.lemma.lower() in SETTLED:
            return None
        at = particle.index
        if not _whole_thing(tree, thing):
            return None
        if tree.mention_at(at) is not None or tree.mention_at(verb.index) is not None:
            return None
        if at == verb.index + 1 and found[0] == at + 1:
            after = found[1]
            if found[1] - found[0] > LONGEST or tag_at(tree, after).startswith(("NN", "POS", "VB", "RB", "JJ")):
                return None
            if text_at(tree, after) in GOES_ON and tree.words[after].head == thing.index:
                return None
            return Rewriting(self.name, at, after, (found, (at, at + 1)), self.kind)
        if found[0] == verb.index + 1 and at == found[1] and tag_at(tree, at + 1) != "IN":
            return Rewriting(self.name, found[0], at + 1, ((at, at + 1), found), self.kind)
        return None


def _whole_thing(tree: Tree, thing: Word) -> bool:
    """Not a bare noun, which may be part of a settled phrase, nor the name of a language that is learnt or the like."""
    if thing.tag in ("NNS", "NNPS") or tree.child(thing.index, "det", "poss") is not None:
        return True
    return thing.pos == "PROPN" and is_person(tree, thing.index)

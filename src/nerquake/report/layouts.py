"""What the papers call sets, languages and ways of training, and the order in which they print them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from nerquake.report.values import in_order, is_original

Paper = Literal["R", "M"]
ORIGINAL_NAMES: Mapping[Paper, str] = {"R": "None", "M": "Orig"}
SETS: Mapping[str, str] = {
    "e": "E", "rockner-e": "E",
    "c": "C", "rockner-c": "C",
    "e+c": "E+C", "rockner-ec": "E+C",
    "rs": "RS", "faker": "Faker", "mask": "Mask", "para": "Para", "m+r": "M+R",
}  # fmt: skip
"""What the papers call our sets, in the order of their columns and rows; others stand behind, as they come."""
LANGUAGES: Mapping[str, str] = {
    "ar": "Arabic", "bn": "Bengali", "de": "German", "en": "English", "es": "Spanish", "fa": "Persian",
    "fr": "French", "hi": "Hindi", "it": "Italian", "ja": "Japanese", "ko": "Korean", "nl": "Dutch",
    "pl": "Polish", "pt": "Portuguese", "ru": "Russian", "sv": "Swedish", "tr": "Turkish", "uk": "Ukrainian",
    "zh": "Chinese",
}  # fmt: skip
WAYS: Mapping[str, str] = {
    "base": "orig.", "original": "orig.", "orig.": "orig.", "orig": "orig.",
    "fine-tuning": "adv. fine-tuning", "adv. fine-tuning": "adv. fine-tuning",
    "re-training": "aug. re-training", "aug. re-training": "aug. re-training",
}  # fmt: skip
"""Ways of training, as paper M's Table 7 calls them and in its order."""
HARDENED: Mapping[str, str] = {
    "original": "Original", "orig": "Original", "orig.": "Original", "none": "Original",
    "original_unused": "Original, unused sources",
    "adversarial": "Adv Test", "adv test": "Adv Test",
}  # fmt: skip
"""Sets of that table, in its order."""


def set_name(name: str, paper: Paper) -> str:
    """A set as the paper calls it; ours keep their names where the paper has none for them."""
    return ORIGINAL_NAMES[paper] if is_original(name) else SETS.get(name.casefold(), name)


def set_order(names: Iterable[str]) -> list[str]:
    """The original set first, then the papers' sets in their order, then others as they come."""
    place = {shown: at for at, shown in enumerate(in_order(SETS.values()), 1)}

    def key(name: str) -> int:
        return 0 if is_original(name) else place.get(SETS.get(name.casefold(), name), len(place) + 1)

    return sorted(in_order(names), key=key)


def language_name(code: str) -> str:
    """A language in words; what we have no word for stays as it is."""
    return LANGUAGES.get(code.casefold().replace("_", "-").split("-")[0], code)


def way_name(model: str) -> str:
    """A way of training as the paper calls it; empty for what is none."""
    return WAYS.get(model.casefold().strip(), "")


def hardened_name(name: str) -> str:
    """A set of Table 7 as the paper calls it."""
    return HARDENED.get(name.casefold().strip(), name)


def ordered(names: Iterable[str], table: Mapping[str, str]) -> list[str]:
    """Names in the order of a table's values; those that it does not hold stand behind, as they come."""
    place = {shown: at for at, shown in enumerate(in_order(table.values()))}
    return sorted(in_order(names), key=lambda name: place.get(table.get(name.casefold().strip(), name), len(place)))

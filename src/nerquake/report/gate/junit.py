"""`junit.xml`: one suite a set, one case a check, for programs that show test results."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree as ET

from nerquake.report.gate.words import Check, figure, interval, models_of, rule_parts, sign

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 forbids, surrogates among them."""


def junit(gate: Mapping[str, Any]) -> str:
    """The file's text. An undecided check is an error: what is skipped counts as passed in many programs."""
    checks: Sequence[Check] = gate["checks"]
    root = ET.Element("testsuites", _totals(checks) | {"name": "nerquake.gate"})
    for set_name in dict.fromkeys(check["set"] for check in checks):
        members = [check for check in checks if check["set"] == set_name]
        suite = ET.SubElement(root, "testsuite", _totals(members) | {"name": _clean(f"nerquake.gate.{set_name}")})
        for check in members:
            _case(suite, check, models_of(checks))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _totals(checks: Sequence[Check]) -> dict[str, str]:
    counted = {status: sum(check["status"] == status for check in checks) for status in ("failed", "undecided")}
    return {
        "tests": str(len(checks)),
        "failures": str(counted["failed"]),
        "errors": str(counted["undecided"]),
        "skipped": str(sum(check["status"] == "ignored" for check in checks)),
    }


def _case(suite: ET.Element, check: Check, models: int) -> None:
    kind, _, *names = rule_parts(check, models)
    title = " · ".join([f"{kind} {sign(check)} {figure(check, check['limit'])}", *names])
    case = ET.SubElement(
        suite, "testcase", {"classname": _clean(f"nerquake.gate.{check['set']}"), "name": _clean(title)}
    )
    _properties(case, check)
    if check["status"] == "failed":
        ET.SubElement(case, "failure", {"message": _clean(_failure(check))})
    elif check["status"] == "undecided":
        ET.SubElement(case, "error", {"type": "undecided", "message": _clean(check["why"])})
    elif check["status"] == "ignored":
        ET.SubElement(case, "skipped", {"message": _clean(f"ignored: {check['why']}")})


def _failure(check: Check) -> str:
    """`27.5 (26.8 to 28.1) > 10.0`."""
    if check["measured"] is None:
        return str(check["why"])
    between = f" ({interval(check)})" if interval(check) else ""
    beyond = "<" if check["kind"] == "min" else ">"
    return f"{figure(check, check['measured'])}{between} {beyond} {figure(check, check['limit'])}"


def _properties(case: ET.Element, check: Check) -> None:
    listed = ET.SubElement(case, "properties")
    for key in ("measured", "limit", "low", "high", "support", "compare", "model"):
        if check[key] is not None:
            ET.SubElement(listed, "property", {"name": key, "value": _clean(str(check[key]))})


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)

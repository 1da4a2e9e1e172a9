"""What a gate leaves for continuous integration: `gate.json`, `junit.xml`, `summary.md`, and three lines to read."""

from nerquake.report.gate.files import write_gate
from nerquake.report.gate_words import head_lines

__all__ = ["head_lines", "write_gate"]

"""Check that files and functions stay short: no file over 400 lines, 95 % of functions under 45 lines."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

FILE_LINES, FUNCTION_LINES, SHARE = 400, 45, 0.95


def main() -> int:
    """Print what is too long; 1 when there is anything."""
    root = Path(__file__).parent.parent
    files = sorted(file for folder in ("src", "tests", "benchmarks", "tools") for file in (root / folder).rglob("*.py"))
    long_files, lengths = [], []
    for file in files:
        text = file.read_text("utf-8")
        if text.count("\n") > FILE_LINES:
            long_files.append(f"{file.relative_to(root)}: {text.count(chr(10))} lines, at most {FILE_LINES}")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                size = (node.end_lineno or node.lineno) - node.lineno + 1
                lengths.append((size, f"{file.relative_to(root)}:{node.lineno} {node.name}"))
    short = sum(size < FUNCTION_LINES for size, _ in lengths) / max(1, len(lengths))
    for line in long_files:
        print(line)
    print(f"{len(files)} files, {len(lengths)} functions, {short:.1%} of them under {FUNCTION_LINES} lines")
    if short < SHARE:
        print("\n".join(f"{size} lines: {name}" for size, name in sorted(lengths, reverse=True)[:10]))
    return int(bool(long_files) or short < SHARE)


if __name__ == "__main__":
    sys.exit(main())

"""Timing that is fair to both sides: runs alternate, the median counts, and numerical libraries get one thread.

Import this before anything that imports numpy: the number of threads is read when such a library loads.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
os.environ.update(dict.fromkeys(THREAD_VARIABLES, "1"))


def alternate(
    functions: Mapping[str, Callable[[], object]], runs: int = 5, clock: Callable[[], float] = perf_counter
) -> dict[str, float]:
    """Median seconds of each function. All run once in turn, then all again, so that a busy moment hits all alike.

    clock   `time.process_time` for what runs in one thread: other work on the machine then counts for neither side
    """
    seconds: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(runs):
        for name, function in functions.items():
            gc.collect()
            start = clock()
            function()
            seconds[name].append(clock() - start)
    return {name: median(values) for name, values in seconds.items()}


def print_table(title: str, medians: Mapping[str, float], base: str = "") -> None:
    """Print medians, and how many times as long as `base` each takes."""
    print(f"\n{title}")
    width = max(map(len, medians))
    for name, value in medians.items():
        times = f"  {value / medians[base]:7.2f} x" if base else ""
        print(f"  {name:<{width}}  {value * 1000:10.1f} ms{times}")

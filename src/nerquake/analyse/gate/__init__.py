"""Gates: what a model must hold under attack before it is released, measured and judged.

`policy.py` reads what is asked, `measure.py` measures it, `judge.py` says what passed.
"""

from nerquake.analyse.gate.judge import check_names, judge
from nerquake.analyse.gate.policy import Policy, parse_policy, read_policy

__all__ = ["Policy", "check_names", "judge", "parse_policy", "read_policy"]

"""The main job (`run.py`), what it is asked to do (`plan.py`), and what comes out of it (`result.py`)."""

from nerquake.audit.plan import Plan, unwatched
from nerquake.audit.run import audit

__all__ = ["Plan", "audit", "unwatched"]

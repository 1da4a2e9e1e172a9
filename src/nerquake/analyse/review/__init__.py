"""People judge attacked sentences: what they get to see, how far they agree, and what follows for the figures.

`items.py` says what can be reviewed, `draw.py` draws it. `resolve.py` joins the decisions of several reviewers and
`agreement.py` measures how far they agree; `curated.py` leaves in the sets what was accepted, `share.py` estimates how
many variants are invalid, `adjusted.py` what the loss is without them, and `findings.py` says all of it.
"""

from nerquake.analyse.review.curated import curated_sets
from nerquake.analyse.review.draw import Drawing, draw
from nerquake.analyse.review.findings import curation
from nerquake.analyse.review.items import fingerprint, item_id, reviewable
from nerquake.analyse.review.resolve import Resolved, resolve

__all__ = ["Drawing", "Resolved", "curated_sets", "curation", "draw", "fingerprint", "item_id", "resolve", "reviewable"]

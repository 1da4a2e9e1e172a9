"""Perturbations: each proposes edits or a rewrite, `run` applies them."""

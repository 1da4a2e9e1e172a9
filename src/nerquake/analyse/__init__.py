"""Findings: what changed under an attack, and where."""

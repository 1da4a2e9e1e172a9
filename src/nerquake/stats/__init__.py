"""Intervals, paired tests and corrections for scores and for differences between scores."""

"""Intervals, paired tests and corrections."""

"""Shake a named entity recogniser and see what falls."""

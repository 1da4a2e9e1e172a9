"""Rewriting sentences by rules over a parse: one small file a rule (`english/`, `german/`)."""

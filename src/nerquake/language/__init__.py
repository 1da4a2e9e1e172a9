"""Masked language models that fill in words, and sources of parts of speech."""

"""Pairing gold and predicted mentions, and the figures that follow from it."""

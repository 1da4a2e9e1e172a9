"""Pairing gold and predicted mentions, counting the pairs, and the rates that follow from the counts."""

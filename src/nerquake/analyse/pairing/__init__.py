"""Auditing an adversarial set that someone else made: original and attacked sentences aligned and compared."""

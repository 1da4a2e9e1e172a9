"""Values, rules and protocols. Imports nothing but the standard library and numpy."""

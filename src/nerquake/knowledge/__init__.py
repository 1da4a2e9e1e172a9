"""The entity dictionary: real entities by fine-grained class, in one DuckDB file (docs/dictionary.md)."""

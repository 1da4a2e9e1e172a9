"""A gate in the report and for continuous integration: its words and tables, `gate.json`, `junit.xml`, `summary.md`."""

"""Charts of the report: Altair specifications that are turned into SVG when it is written; one chart a file."""

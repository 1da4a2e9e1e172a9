"""The data of the page's explorer: every sentence under every attack, as one compressed text (docs/formats.md)."""

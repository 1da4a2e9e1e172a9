"""Showing an audit: one page, Markdown, tables."""

"""Reading and writing labelled files, one format a module."""

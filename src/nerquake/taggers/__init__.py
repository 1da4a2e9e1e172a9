"""Recognisers behind one protocol, one adapter a module."""

"""Training recognisers, and the papers' experiments with them."""

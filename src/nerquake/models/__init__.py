"""Loading models of other libraries: what recognisers, mask fillers and sources of parts of speech share."""

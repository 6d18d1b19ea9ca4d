"""Personal words under a key per person, so that somebody can be forgotten by destroying theirs."""

"""The policy registry: which policies exist and how a player is built from a name."""

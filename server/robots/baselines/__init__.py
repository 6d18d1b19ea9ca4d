"""Baselines without a language model: expert, scripted people, ghost, oracle and random moves."""

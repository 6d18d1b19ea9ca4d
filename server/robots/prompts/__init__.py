"""What models are told. The facts are the source papers'; the wording is ours, and pinned by
golden files in ``tests/data/prompts``."""

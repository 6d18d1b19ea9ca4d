"""``helper``: HELPER-X. Programs from retrieved examples, run with checks and repairs."""

"""The ``helper`` policy: HELPER-X. Programs from retrieved examples, checked and repaired."""

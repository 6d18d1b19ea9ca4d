"""Policies: brains that see only what their seat has seen."""

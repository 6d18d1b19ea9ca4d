"""Trials: policies beside partners on tasks, unpaced, recorded like any session."""

"""Measures of episodes, one file each: definition, unit, source and computation from the log."""

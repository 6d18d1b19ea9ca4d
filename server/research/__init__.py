"""Offline research programs: trials, probes, task sets and comparisons of houses."""

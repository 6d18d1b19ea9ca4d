"""Preflight: whether paid people may come to a study on this server now."""

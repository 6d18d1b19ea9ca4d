"""Backups of a running server, and their restoration elsewhere."""

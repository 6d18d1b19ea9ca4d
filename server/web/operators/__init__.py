"""Operators: their pages, and which role each needs."""

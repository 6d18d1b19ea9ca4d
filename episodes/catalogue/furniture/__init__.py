"""Furniture classes of the catalogue, one file for each group."""

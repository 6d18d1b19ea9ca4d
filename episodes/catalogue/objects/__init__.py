"""Object classes of the catalogue, one module for each group."""

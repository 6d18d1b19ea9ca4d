"""Mesh construction: pieces, sweeps, carpentry, wear and glTF."""

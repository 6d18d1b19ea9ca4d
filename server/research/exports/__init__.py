"""Exports of studies: tables, their codebook, and the manifest that was frozen, in one folder."""

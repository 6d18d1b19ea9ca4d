"""The error that ends a command."""

from __future__ import annotations


class StopError(Exception):
    """A command cannot go on; the text is all that the operator sees."""

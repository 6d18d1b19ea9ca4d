"""The error that ends a command."""

from __future__ import annotations

from episodes.visible_text import shortened


class StopError(Exception):
    """A command cannot go on; the text, shortened, is all that the operator sees."""

    def __init__(self, text: str) -> None:
        super().__init__(shortened(text))

"""Text of a page as it was sent: what its marked parts say, read from the page itself.

A page marks with ``data-recorded`` what is stored as shown, and with ``data-recorded="no"`` what is
not within that. So the record has no wording of its own that could differ from the page's.
"""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Final, NamedTuple

MARK: Final = "data-recorded"
_INLINE: Final = frozenset({"a", "b", "em", "i", "span", "strong", "text", "code"})
_VOID: Final = frozenset({"br", "hr", "img", "input", "link", "meta", "source", "wbr"})


class RecordedText(NamedTuple):
    """Marked text of a page, a line for each block, and the language that the page declares."""

    language: str
    text: str


def recorded_text(html: str) -> RecordedText:
    """Return what the marked parts of a page say."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.found).split("\n"))
    return RecordedText(reader.language, "\n".join(line for line in lines if line))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.language = ""
        self.found: list[str] = []
        self._open: list[tuple[str, bool]] = []
        """Elements that are open, each with whether its text is recorded."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "html":
            self.language = values.get("lang") or ""
        if tag not in _INLINE or MARK in values:
            self.found.append("\n")
        if tag not in _VOID:
            outer = bool(self._open) and self._open[-1][1]
            self._open.append((tag, values[MARK] != "no" if MARK in values else outer))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Pass over what has no content, such as shapes of a drawing."""

    def handle_endtag(self, tag: str) -> None:
        if tag not in _INLINE:
            self.found.append("\n")
        # An end without a beginning would otherwise close what it is in.
        if any(tag == name for name, _ in self._open):
            while self._open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        # Lines of a text within an element are lines of the record, too.
        if self._open and self._open[-1][1]:
            self.found.append(data)

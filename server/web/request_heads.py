"""Heads of requests, read strictly before a parser sees them.

A parser that forgives (a line that ends without CR, a folded line) and one that does not see two
different requests in the same bytes. What is not written as RFC 9112 says is refused here.
"""

from __future__ import annotations

from typing import NamedTuple

from server.web.refusal_pages import MALFORMED, TARGET_TOO_LONG, RefusalPage

END = b"\r\n\r\n"
LONGEST_TARGET = 2048
"""Characters of a path with its query."""
LONGEST_CONTENT_TYPE = 256


def has_bare_end(data: bytes) -> bool:
    """Tell whether a line ends with LF alone, or a CR stands in the middle of one.

    ``data`` may stop within a head: a CR at its very end is none of these.
    """
    pairs = data.count(b"\r\n")
    return data.count(b"\n") > pairs or data.count(b"\r") > pairs + data.endswith(b"\r")


class RequestHead(NamedTuple):
    """First line of a request, and its fields with names in lower case."""

    target: bytes
    fields: list[tuple[bytes, bytes]]

    def all(self, name: bytes) -> list[bytes]:
        """Return the values of all fields with this name."""
        return [value for known, value in self.fields if known == name]

    @property
    def is_chunked(self) -> bool:
        return any(name == b"transfer-encoding" for name, _ in self.fields)

    def is_whole_with(self, rest: bytes) -> bool:
        """Tell whether nothing more than ``rest`` is to come; of chunks, only the parser knows."""
        sizes = self.all(b"content-length")
        return not self.is_chunked and all(
            # A size that is none is the parser's to refuse.
            size.isdigit() and len(size) < 16 and int(size) <= len(rest)
            for size in sizes
        )

    @property
    def refusal(self) -> RefusalPage | None:
        """The reason for which nobody looks at the request any further; None for most."""
        if len(self.target) > LONGEST_TARGET:
            return TARGET_TOO_LONG
        if any(len(kind) > LONGEST_CONTENT_TYPE for kind in self.all(b"content-type")):
            return MALFORMED
        # Two lengths: whoever stands between may have believed the other one.
        if self.is_chunked and self.all(b"content-length"):
            return MALFORMED
        return None


def read_head(data: bytes) -> RequestHead | None:
    """Return what a whole head says, up to and without `END`; None if it is malformed.

    Methods, versions and the characters of values are the parser's to judge.
    """
    if has_bare_end(data):
        return None
    first, *lines = data.split(b"\r\n")
    words = first.split(b" ")
    fields = []
    for line in lines:
        name, colon, value = line.partition(b":")
        # A name with space around it is a folded line, or one that parsers disagree about.
        if not colon or not name or name != name.strip():
            return None
        fields.append((name.lower(), value.strip(b" \t")))
    return RequestHead(words[1], fields) if len(words) == 3 else None

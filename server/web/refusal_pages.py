"""Pages that refuse a request before anything is made for it: short, and ready to be sent."""

from __future__ import annotations

import math
from functools import lru_cache
from http import HTTPStatus
from typing import NamedTuple

from server.web.page_templates import Page, self_contained
from server.web.security import HEADERS


class RefusalPage(NamedTuple):
    """Answer to a request that is not looked at any further; its connection is closed."""

    status: HTTPStatus
    heading: str
    text: str

    @property
    def _rendered(self) -> Page:
        return _rendered(self.heading, self.text)

    @property
    def body(self) -> bytes:
        return self._rendered.html

    def headers(self, retry_after_s: float = 0.0) -> list[tuple[bytes, bytes]]:
        """Return the headers of the answer."""
        fields = {
            "content-type": "text/html; charset=utf-8",
            "content-length": str(len(self.body)),
            "cache-control": "no-store",
            "connection": "close",
            **HEADERS,
            "content-security-policy": self._rendered.policy,
        }
        if retry_after_s:
            fields["retry-after"] = str(math.ceil(retry_after_s))
        return [(name.encode(), value.encode()) for name, value in fields.items()]

    def whole(self, retry_after_s: float = 0.0) -> bytes:
        """Return the answer as it goes through a socket."""
        lines = [f"HTTP/1.1 {self.status.value} {self.status.phrase}".encode()]
        lines += [name + b": " + value for name, value in self.headers(retry_after_s)]
        return b"\r\n".join(lines) + b"\r\n\r\n" + self.body


@lru_cache
def _rendered(heading: str, text: str) -> Page:
    return self_contained("refusal.html", heading=heading, text=text)


TOO_MANY = RefusalPage(
    HTTPStatus.TOO_MANY_REQUESTS,
    "That was a bit much at once",
    "Too many requests have come from your network. Please wait a moment, then load the page "
    "again. A game that is going on goes on.",
)
TOO_LARGE = RefusalPage(
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "That is too much to send",
    "A form here takes 64 KB at most. Go back, and send less.",
)
TOO_SLOW = RefusalPage(
    HTTPStatus.REQUEST_TIMEOUT,
    "That took too long",
    "The request did not arrive in time. Please load the page again.",
)
HEAD_TOO_LARGE = RefusalPage(
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    "Your browser sent too much along",
    "Its headers are larger than any that we know. Removing the cookies of this site often helps.",
)
TARGET_TOO_LONG = RefusalPage(
    HTTPStatus.REQUEST_URI_TOO_LONG,
    "That address is too long",
    "Addresses here have 2,048 characters at most. Please check the link, or begin at the start "
    "page.",
)
NO_FORM = RefusalPage(
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    "That is no form of ours",
    "Forms here hold short texts and no files. Go back to the start page and use its buttons. "
    "(Expected the type application/x-www-form-urlencoded.)",
)
MALFORMED = RefusalPage(
    HTTPStatus.BAD_REQUEST,
    "That request could not be read",
    "It is not written as the rules of HTTP say. Please load the page again; if that does not "
    "help, try another browser or network.",
)

"""Refusals of requests before a page is made: short pages that are ready to be sent."""

from __future__ import annotations

import math
from http import HTTPStatus
from typing import NamedTuple

from server.web.security import HEADERS


class Refusal(NamedTuple):
    """Answer to a request that is not looked at any further; its connection is closed."""

    status: HTTPStatus
    heading: str
    text: str

    @property
    def body(self) -> bytes:
        return (
            '<!doctype html><html lang="en"><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width">'
            f"<title>{self.heading}</title><h1>{self.heading}</h1><p>{self.text}</p></html>\n"
        ).encode()

    def headers(self, retry_after_s: float = 0.0) -> list[tuple[bytes, bytes]]:
        """Return the headers of the answer."""
        fields = {
            "content-type": "text/html; charset=utf-8",
            "content-length": str(len(self.body)),
            "cache-control": "no-store",
            "connection": "close",
            **HEADERS,
        }
        if retry_after_s:
            fields["retry-after"] = str(math.ceil(retry_after_s))
        return [(name.encode(), value.encode()) for name, value in fields.items()]

    def whole(self, retry_after_s: float = 0.0) -> bytes:
        """Return the answer as it goes through a socket."""
        lines = [f"HTTP/1.1 {self.status.value} {self.status.phrase}".encode()]
        lines += [name + b": " + value for name, value in self.headers(retry_after_s)]
        return b"\r\n".join(lines) + b"\r\n\r\n" + self.body


TOO_MANY = Refusal(
    HTTPStatus.TOO_MANY_REQUESTS,
    "That was a bit much at once",
    "Too many requests have come from your network. Please wait a moment, then load the page "
    "again. A game that is going on goes on.",
)
TOO_LARGE = Refusal(
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "That is too much to send",
    "A form here takes 64 KB at most. Go back, and send less.",
)
TOO_SLOW = Refusal(
    HTTPStatus.REQUEST_TIMEOUT,
    "That took too long",
    "The request did not arrive in time. Please load the page again.",
)
HEAD_TOO_LARGE = Refusal(
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    "Your browser sent too much along",
    "Its headers are larger than any that we know. Removing the cookies of this site often helps.",
)

"""Forms of our pages: a few short fields, in the one encoding that a page without files uses."""

from __future__ import annotations

from http import HTTPStatus
from urllib.parse import parse_qsl

from fastapi import Request

from server.web.errors import PageError
from server.web.refusal_pages import NO_FORM

KIND = "application/x-www-form-urlencoded"
LARGEST_FORM = 16 * 1024
MOST_FIELDS = 32
LARGEST_SURVEY = 60 * 1024
MOST_ANSWERS = 600

Form = dict[str, str]
"""Fields by name; of those with one name, the last."""


def is_form(content_type: str) -> bool:
    """Tell whether a body of this type may be a form of ours."""
    return content_type.partition(";")[0].strip().lower() == KIND


async def read_form(request: Request, *, is_survey: bool = False) -> Form:
    """Return the fields that a browser sent; a survey may have many.

    Raises PageError, before anything is parsed, for what no page of ours sends.
    """
    kind = request.headers.get("content-type", "")
    body = await request.body()
    if not is_form(kind) and (kind or body):
        raise PageError(NO_FORM.status, NO_FORM.heading, NO_FORM.text)
    largest, most = (LARGEST_SURVEY, MOST_ANSWERS) if is_survey else (LARGEST_FORM, MOST_FIELDS)
    if len(body) > largest:
        raise PageError(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            "That is too much to send",
            f"A form here takes {largest // 1024} KB at most. Go back, and send less.",
        )
    try:
        pairs = parse_qsl(
            body.decode(errors="replace"), keep_blank_values=True, max_num_fields=most
        )
    except ValueError:
        raise PageError(
            HTTPStatus.BAD_REQUEST,
            "That is no form of ours",
            f"A form here has {most} fields at most. Go back to the start page and use its "
            "buttons.",
        ) from None
    # No database keeps a NUL in a text, and nobody writes one.
    return {name: text.replace("\0", "") for name, text in pairs}

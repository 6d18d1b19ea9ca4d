"""Errors that end in a page: a status, a heading and kind words."""

from __future__ import annotations


class PageError(Exception):
    """Error that is shown to a person as a page.

    ``text`` says what happened and what can be done, ``retry_after_s`` when to try again.
    ``leads_home``: its page leads to the start page, where everybody may play.
    ``reloads_after_s``: its page loads itself again then, until something else is there.
    """

    def __init__(
        self,
        status: int,
        heading: str,
        text: str,
        *,
        retry_after_s: int | None = None,
        leads_home: bool = True,
        reloads_after_s: int | None = None,
    ) -> None:
        super().__init__(f"{status} {heading}")
        self.leads_home = leads_home
        self.status, self.heading, self.text = status, heading, text
        self.retry_after_s, self.reloads_after_s = retry_after_s, reloads_after_s


def not_found() -> PageError:
    return PageError(
        404,
        "There is nothing here",
        "The address may be mistyped, or what was here has ended.",
    )


def not_yours() -> PageError:
    return PageError(
        403,
        "This home belongs to somebody else",
        "Only the people who play in it can open this page. If that is you, use the browser in "
        "which you began.",
    )


def session_over() -> PageError:
    return PageError(
        410,
        "This home is closed",
        "The session has ended, and what you did is stored. You are welcome to play again.",
    )

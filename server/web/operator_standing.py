"""Standing of somebody who asks for operators' pages, and how those are refused who have none."""

from __future__ import annotations

from typing import NamedTuple

from server.operator_accounts import Role
from server.web.errors import PageError


class Standing(NamedTuple):
    """Standing of an operator, as it is at one request."""

    who: str
    """Name in the log: of the account, or of the other way in."""
    role: Role
    sign_in: str
    """Name of the sign-in; what its pages hold ends with it."""
    can_leave: bool
    """Whether the browser is signed in, and could sign out."""
    has_account: bool = False


class StrangerError(Exception):
    """Error for somebody who is no operator: they are shown the way in.

    ``watched`` is the session to whose page it leads.
    """

    def __init__(self, watched: str = "") -> None:
        super().__init__("not an operator")
        self.watched = watched


class RoleError(PageError):
    """Refusal of what an operator's role does not allow."""

    def __init__(self, standing: Standing, needed: Role) -> None:
        super().__init__(
            403,
            "Your role does not allow that",
            f"You are signed in as {standing.who} with the role {standing.role.word}; this needs "
            f"{needed.word}. Nothing was done. Somebody who administers can give you that role "
            "(cohabit operator role).",
            leads_home=False,
        )


class GuessesSpentError(PageError):
    """Guess refused after too many wrong ones; the text says when to come back."""

    def __init__(self, wait_s: int) -> None:
        super().__init__(
            429,
            "Too many wrong passwords",
            f"Wait {_told(wait_s)}, then try again. Whoever is signed in already stays so.",
            retry_after_s=wait_s,
        )


def _told(wait_s: int) -> str:
    if wait_s < 60:
        return f"{wait_s} second{'s' if wait_s > 1 else ''}"
    minutes = round(wait_s / 60)
    return f"{minutes} minute{'s' if minutes > 1 else ''}"

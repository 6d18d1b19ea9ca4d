"""Invitations that cannot be joined."""

from __future__ import annotations


class InviteError(Exception):
    """An invitation cannot be joined; ``kind`` is ``full``, ``taken`` or ``no_such_place``."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"the invitation cannot be joined: {kind}")
        self.kind = kind

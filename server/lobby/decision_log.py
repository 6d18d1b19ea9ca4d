"""Decisions of matchmaking as the log of the server tells them."""

from __future__ import annotations

from typing import Any

import msgspec

from matchmaking.matches import Match


def told_of(match: Match) -> dict[str, Any]:
    """Return what the log says of a group: who, and for a study why, with whom it was compared.

    It names tickets, and no people.
    """
    told: dict[str, Any] = {"tickets": match.ticket_ids}
    if match.study is not None:
        told |= {
            "study": match.study.name,
            "version": match.study.version,
            "cell": match.cell,
            "team": str(match.team),
        }
    if match.decision is not None:
        told["decision"] = msgspec.to_builtins(match.decision)
    return told

"""Choice of the partner that a question or a request is for, where there are several.

A pair needs no name: what is said is for the only partner.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection

from episodes.seat_names import addressed
from server.robots.policies.shared.team_prose import is_pair, labels_of
from server.robots.policy import Heard, Partner, PolicyView

EVERYBODY = ""
"""Stand-in for a seat: the only partner, or all of them."""
_WISH = re.compile(r"\b(?:(?:could|can|would|will) you|please)\b", re.I)
"""Words by which a question asks for something to be done."""


def to_ask(view: PolicyView, silent: Collection[str] = ()) -> str | None:
    """Return whom to put a question to; None: there is nobody who may answer.

    Of several that is the nearest person at work, as people give the tasks, or else the nearest
    robot. ``silent`` are those who did not answer before.
    """
    if is_pair(view.graph.seats):
        has_partner = any(seat != view.seat for seat in view.graph.agents)
        return EVERYBODY if has_partner and EVERYBODY not in silent else None
    left = [p for p in view.partners if p.is_at_work and p.seat not in silent]
    return min(left, key=lambda p: (p.kind != "human", _away(view, p))).seat if left else None


def who_can(view: PolicyView) -> str | None:
    """Return whom to ask for what only a person's body can do; None: there is none at work."""
    if is_pair(view.graph.seats):
        return EVERYBODY
    able = [p for p in view.partners if p.kind == "human" and p.is_at_work]
    return min(able, key=lambda p: _away(view, p)).seat if able else None


def is_for(view: PolicyView, line: Heard) -> bool:
    """Tell whether a line is for this seat: from somebody else, and not for others by name.

    What a robot wants to know ("Is anything still missing?") neither answers nor orders anything:
    a program that runs is not dropped for it, and a question that is open stays open.
    """
    if line.seat == view.seat:
        return False
    seats, text = addressed(line.text, labels_of(view))
    if "?" in text and is_robots(view, line) and not _WISH.search(text):
        return False
    return is_pair(view.graph.seats) or not seats or view.seat in seats


def is_robots(view: PolicyView, line: Heard) -> bool:
    """Tell whether a line comes from a robot's body."""
    return any(s.seat_id == line.seat and s.kind == "robot" for s in view.graph.seats)


def _away(view: PolicyView, partner: Partner) -> float:
    """Return how far a partner is (m); those whose place is not told come last."""
    return math.inf if partner.position is None else math.dist(view.position, partner.position)

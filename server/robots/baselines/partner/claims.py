"""The words about who has what: the claims of things, and the shares of all.

Each thing has one owner, and whoever loses one is told by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from server.robots.baselines.partner.absence import is_away, there
from server.robots.baselines.partner.phrases import Phrases
from server.robots.baselines.partner.sharing import SharedWork
from server.sessions.core import SessionCore


def refused(core: SessionCore, work: SharedWork, mine: str, seat: str, thing: str) -> str:
    """Say why a seat cannot have a thing: somebody else holds it, or the body cannot do it.

    Empty: it can. What the robot ``mine`` itself holds it puts down.
    """
    say = Phrases(core, mine)
    holder = core.world.holders.get(thing)
    if holder not in (None, seat, mine):
        return say.holds(holder, thing)
    numbers = work.goals_of(thing)
    if numbers and not work.can(core, seat, numbers[0]):
        owner = work.owner.get(thing)
        return say.is_for_a_person(work.goals[numbers[0]], None if owner == seat else owner)
    return ""


class Granted(NamedTuple):
    """The things that somebody got, and what is to be said of the others."""

    plain: list[str]
    """Things that nobody else loses."""
    told: list[str]
    """Sentences: who need not see to a thing any more, and why one could not be had."""


def grant(
    core: SessionCore, work: SharedWork, mine: str, seat: str, things: Sequence[str]
) -> Granted:
    """Let a seat see to things from now on, where it can."""
    say, given = Phrases(core, mine), Granted([], [])
    for thing in things:
        reason = refused(core, work, mine, seat, thing)
        if reason:
            given.told.append(reason)
            continue
        before = work.owner.get(thing)
        work.hand(thing, seat, seat)
        if before in (None, seat, mine) or before not in there(core):
            given.plain.append(thing)
        else:
            is_idle = not work.things(before)
            given.told.append(say.passes_on(thing, before, seat, is_idle=is_idle))
    return given


def absence(core: SessionCore, work: SharedWork, mine: str, seat: str) -> str:
    """Say of somebody that they are not there, and what is kept for them; empty: they are."""
    say = Phrases(core, mine)
    if core.seats[seat].presence == "gone":
        return say.has_left(seat)
    if is_away(core, seat):
        return say.is_away(seat, work.things(seat))
    return ""


def shared_out(core: SessionCore, work: SharedWork, mine: str) -> str:
    """Return the share-out as the robot ``mine`` says it when the work begins."""
    everybody = there(core)
    if len(everybody) < 2 or not work.goals:
        return ""
    theirs = {s: work.things(s) for s in everybody if s != mine}
    wash = [g for g in work.goals if g.for_people]
    if core.world.bodies[mine].kind == "human":
        wash = []
    own, brought = work.things(mine), list(work.bringing.items())
    tap = "" if own or not brought or not wash else brought[0][1]
    return Phrases(core, mine).plan_aloud(own, theirs, wash, tap)

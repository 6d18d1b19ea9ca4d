"""People who met in an earlier study: not put together again, over the pages of two studies."""

from __future__ import annotations

import asyncio

from matchmaking.study.recruiter import Recruiter
from server.lobby.ticket_outcomes import Closed, Matched
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.participants.visitors import (
    AGREES,
    ALL_CODES,
    PAIR,
    Visitor,
    play_to_the_end,
    short_study,
    through,
)

BY_PROLIFIC = Recruiter(kind="prolific", codes=ALL_CODES)
STUDIES = [
    short_study(name=name, cells=(PAIR,), recruiter=BY_PROLIFIC) for name in ("one", "two", "three")
]
ANN, BEN, CYD = (letter * 24 for letter in "abc")


async def waiting(
    site: RunningSite, study: str, pid: str
) -> tuple[Visitor, asyncio.Future[Matched | Closed]]:
    """Bring somebody in a browser of their own into the lobby of a study."""
    visitor = Visitor(site)
    await visitor.begin(f"/s/{study}?PROLIFIC_PID={pid}&STUDY_ID={study}&SESSION_ID={pid[:8]}")
    await visitor.send(AGREES)
    await visitor.send({})
    ticket = visitor.path.removeprefix("/lobby/")
    assert await site.state.lobby.connect(ticket, ticket)
    outcome = site.state.lobby.outcome(ticket)
    assert outcome is not None
    return visitor, asyncio.ensure_future(outcome)


async def test_L7_two_who_met_in_an_earlier_study_wait_for_others(make_site: MakeSite) -> None:
    async with make_site(*STUDIES).running() as site:
        (ann, first), (ben, second) = [await waiting(site, "one", pid) for pid in (ANN, BEN)]
        await asyncio.gather(first, second)
        await ann.open("/visit/play")
        await ben.open("/visit/play")
        assert ann.path == ben.path
        await play_to_the_end(site, ann)
        for visitor in (ann, ben):
            await through(visitor)

        # Others in between are put together at once, so that rounds have been.
        (_, again), (_, once_more) = [await waiting(site, "two", pid) for pid in (ANN, BEN)]
        strangers = [await waiting(site, "three", pid) for pid in (CYD, "d" * 24)]
        await asyncio.gather(*(outcome for _, outcome in strangers))
        assert not again.done()
        assert not once_more.done()
        cyd, met = await waiting(site, "two", "e" * 24)
        await met
        assert again.done(), "who waits longest is first"
        assert not once_more.done()
        await cyd.open("/visit/play")
        assert cyd.path.startswith("/play/")
        once_more.cancel()

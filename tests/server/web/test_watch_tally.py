"""Time for which operators watch: noted with each episode, once for all who watch."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import update

from server.store import DatabaseError
from server.store.models import EpisodeRow
from server.web import watch_tally
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.participants.visitors import (
    AGREES,
    Visitor,
    play_to_the_end,
    rows_of,
    short_study,
)

SLACK_S = 8.0
"""Seconds that the test itself may take."""


async def playing(site: RunningSite) -> Visitor:
    """Return somebody who plays their only task."""
    visitor = Visitor(site)
    await visitor.begin()
    await visitor.send(AGREES)
    await visitor.send({})
    assert visitor.path.startswith("/play/"), visitor.page.text
    return visitor


async def watched(site: RunningSite) -> float | None:
    (episode,) = await rows_of(site, EpisodeRow)
    found: float | None = episode.watched_s
    return found


async def test_an_episode_is_watched_for_as_long_as_anybody_watches_it(
    make_site: MakeSite,
) -> None:
    async with make_site(short_study()).running() as site:
        tally = site.state.sockets.watching
        # Of the time before it was opened nothing counts.
        site.passed_s += 100
        visitor = await playing(site)
        (episode,) = await rows_of(site, EpisodeRow)
        assert episode.watched_s == 0
        with tally.watching(episode.session_id):
            site.passed_s += 30
            with tally.watching(episode.session_id):
                assert len(tally) == 1
                site.passed_s += 30
            await tally.tell()
            assert await watched(site) == pytest.approx(60, abs=SLACK_S)
            site.passed_s += 30
        assert len(tally) == 0
        site.passed_s += 500
        await tally.tell()
        assert await watched(site) == pytest.approx(90, abs=SLACK_S)
        with tally.watching(episode.session_id):
            site.passed_s += 10
            await play_to_the_end(site, visitor)
            # What lies between its last note and its end is not lost, and nothing follows.
            site.passed_s += 1000
        await tally.tell()
        assert await watched(site) == pytest.approx(100, abs=SLACK_S)


async def test_nothing_is_lost_while_the_database_is_away(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, datetime, datetime]] = []

    async def away(_db: object, *of: Any) -> None:
        asked.append(of)
        raise DatabaseError("it is locked, on purpose")

    async with make_site(short_study()).running() as site:
        await playing(site)
        (episode,) = await rows_of(site, EpisodeRow)
        tally = site.state.sockets.watching
        with monkeypatch.context() as patch, tally.watching(episode.session_id):
            patch.setattr(watch_tally, "note_watched", away)
            for _ in range(5):
                site.passed_s += 20
                await tally.tell()
            assert len(tally._untold) == 1, "one piece, however long it lasts"
        assert len(asked) == 5
        await tally.tell()
        assert await watched(site) == pytest.approx(100, abs=SLACK_S)


async def test_of_an_episode_of_an_earlier_release_it_is_not_known(make_site: MakeSite) -> None:
    async with make_site(short_study()).running() as site:
        await playing(site)
        async with site.state.database.transaction() as db:
            await db.execute(update(EpisodeRow).values(watched_s=None))
        (episode,) = await rows_of(site, EpisodeRow)
        tally = site.state.sockets.watching
        with tally.watching(episode.session_id):
            site.passed_s += 20
        await tally.tell()
        assert await watched(site) is None

"""Studies that are opened while the server runs are taken up without a restart."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from msgspec.structs import replace

from matchmaking.study import Study
from server import newly_opened
from server.newly_opened import NewlyOpened
from server.research.studies.manifest import Manifest
from server.research.studies.opening import CannotOpenError
from server.store.models import MatchRow
from server.store.study_runs import add_run, run_of
from tests.patience import PATIENCE_S
from tests.server.web.conftest import MakeSite, RunningSite
from tests.server.web.participants.visitors import (
    AGREES,
    Visitor,
    play_to_the_end,
    rows_of,
    short_study,
    through,
)


async def opened(site: RunningSite, study: Study) -> None:
    """Store that a study was opened, as its command does."""
    manifest = Manifest(
        study_name=study.name,
        version=study.version,
        frozen_at="2026-11-26T08:00:00+00:00",
        digests={},
        study=study,
    )
    async with site.state.database.transaction() as db:
        add_run(db, study.key, msgspec.to_builtins(manifest), site.state.now())


@pytest.fixture(autouse=True)
def unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have nothing changed since a study was opened: there are no houses here."""
    monkeypatch.setattr(
        newly_opened,
        "check_may_go_on",
        lambda run, _dir: msgspec.convert(run.manifest, Manifest).study,
    )


async def test_a_study_that_is_opened_takes_people_to_their_end(make_site: MakeSite) -> None:
    async with make_site().running() as site:
        ann, watch = Visitor(site), NewlyOpened(site.state)
        assert (await ann.open("/s/short")).status_code == 404
        await opened(site, short_study())
        await watch.look()
        await ann.begin()
        await ann.send(AGREES)
        await ann.send({})
        assert ann.path.startswith("/play/"), ann.page.text
        await play_to_the_end(site, ann)
        await through(ann)
        assert 'data-ending="completed"' in ann.page.text
        (match,) = await rows_of(site, MatchRow)
        assert (match.place, match.cell) == (0, "robot")


async def test_a_new_version_follows_one_that_was_closed(make_site: MakeSite) -> None:
    async with make_site(short_study()).running() as site:
        watch = NewlyOpened(site.state)
        await opened(site, short_study())
        await watch.look()
        known = site.state.studies.get("short")
        assert known is not None
        async with site.state.database.transaction() as db:
            run = await run_of(db, short_study().key)
            assert run is not None
            run.closed_at = site.state.now()
        site.passed_s += 1
        await opened(site, replace(short_study(), version=2))
        await watch.look()
        taken = site.state.studies.get("short")
        assert taken is not None
        assert (taken.study.version, taken.is_closed) == (2, False)
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        await ann.send({})
        assert ann.path.startswith("/play/"), ann.page.text
        (match,) = await rows_of(site, MatchRow)
        assert match.study_version == 2


async def test_what_cannot_be_taken_up_is_tried_once(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = []

    def changed(*_: object) -> Study:
        tried.append(True)
        raise CannotOpenError("the programs have changed")

    monkeypatch.setattr(newly_opened, "check_may_go_on", changed)
    async with make_site().running() as site:
        watch = NewlyOpened(site.state)
        await opened(site, short_study())
        await watch.look()
        await watch.look()
        assert len(tried) == 1
        assert (await Visitor(site).open("/s/short")).status_code == 404


async def test_a_look_that_fails_is_not_the_last(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[str] = []
    again = asyncio.Event()

    async def look() -> None:
        looks.append("look")
        if len(looks) == 1:
            raise ValueError("failed on purpose")
        again.set()

    async with make_site().running() as site:
        watch = NewlyOpened(site.state)
        monkeypatch.setattr(watch, "look", look)
        monkeypatch.setattr(newly_opened, "ROUND_S", 0.0)
        watching = asyncio.create_task(watch.watch())
        await asyncio.wait_for(again.wait(), PATIENCE_S)
        watching.cancel()

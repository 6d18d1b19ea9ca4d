"""Practice of a tutorial is read from its recording: doing its task alone does not pass it."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from matchmaking.study.pages import Lobby, Play, Tutorial
from server.recording.tutorial_criterion import NEEDED
from server.robots.baselines.scripted_player import Done, ScriptedPlayer, Speak
from server.robots.baselines.tutor import Tutor
from server.store.tickets import DoneTask
from server.wall_clock import utc_now
from server.web.participants.practice import missing_practice
from tests.server.recording.test_tutorial_criterion import play, tutorial
from tests.server.web.conftest import MakeSite
from tests.server.web.doubles import make_settings, proposition, verdict
from tests.server.web.participants.test_edges import practise_for
from tests.server.web.participants.visitors import AGREES, CONSENT, Visitor, short_study


def record(path: Path) -> None:
    """Write the recording of somebody who only asked for something."""
    recording = tutorial("human")
    play(recording, ScriptedPlayer("human_0", [Speak("hello there"), Done()]), Tutor("robot_0"))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(recording.data())


async def test_C5_what_was_not_practised_is_read_from_the_recording(tmp_path: Path) -> None:
    settings = make_settings(tmp_path)
    record(settings.log_path("ses_1"))
    missing = await missing_practice(settings, DoneTask("ses_1", "human_0", utc_now()))
    assert set(missing) == NEEDED["human"] - {"ask"}


async def test_nobody_is_held_back_for_a_recording_that_is_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = make_settings(tmp_path)
    assert await missing_practice(settings, DoneTask("ses_1", "human_0", utc_now())) == []
    assert "tutorial.unreadable" in capsys.readouterr().out


async def test_C5_whoever_has_skipped_steps_practises_once_more(make_site: MakeSite) -> None:
    pages = (CONSENT, Tutorial(), Lobby(), Play())
    async with make_site(short_study(pages=pages)).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        await ann.send({})
        (spec, _, _) = site.host.opened[-1]
        record(site.settings.log_path(spec.session_id))
        await site.host.finish(spec.session_id, verdict(proposition(0)))
        await ann.open("/visit")
        assert ann.path == "/visit/tutorial"
        assert 'data-testid="tutorial-missing"' in ann.page.text
        assert "pick something up" in ann.page.text
        assert "write a line in the chat" not in ann.page.text


async def test_C5_whoever_comes_back_from_practice_is_told_what_is_left(
    make_site: MakeSite,
) -> None:
    pages = (CONSENT, Tutorial(limit_s=900), Lobby(), Play())
    async with make_site(short_study(pages=pages)).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        assert "You have 15 minutes for the practice, from when you begin" in ann.page.text
        await practise_for(site, ann, timedelta(seconds=290))
        await ann.open("/visit/tutorial")
        assert "You have 10 minutes left for the practice." in ann.page.text


@pytest.mark.parametrize("limit_s", [300.0, None])
async def test_C5_the_house_is_told_how_long_the_practice_may_still_take(
    make_site: MakeSite, limit_s: float | None
) -> None:
    pages = (CONSENT, Tutorial(limit_s=limit_s), Lobby(), Play())
    async with make_site(short_study(pages=pages)).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        await ann.send({})
        assert ann.path.startswith("/play/")
        told = r'"practiceLeftS": ?([0-9.]+)'
        first = re.findall(told, ann.page.text)
        site.passed_s += 100
        # The page may be loaded again, and nothing is gained by it.
        await ann.open(ann.path)
        second = re.findall(told, ann.page.text)
        if limit_s is None:
            assert first == second == []
        else:
            assert 200 < float(first[0]) <= 300
            assert 0 < float(second[0]) <= float(first[0]) - 100
            house = ann.path
            site.passed_s += 250
            await ann.open(house)
            assert ann.path != house, "loading it again leads out of a practice that is over"


@pytest.mark.parametrize(("after_s", "seen_after_s", "place"), [(50, 100, "lobby"), (70, 0, "")])
async def test_C5_a_practice_counts_by_when_its_task_was_done(
    make_site: MakeSite, after_s: float, seen_after_s: float, place: str
) -> None:
    pages = (CONSENT, Tutorial(limit_s=60), Lobby(), Play())
    async with make_site(short_study(pages=pages)).running() as site:
        ann = Visitor(site)
        await ann.begin()
        await ann.send(AGREES)
        await ann.send({})
        (spec, _, _) = site.host.opened[-1]
        site.passed_s += after_s
        await site.host.finish(spec.session_id, verdict(proposition(0)))
        site.passed_s += seen_after_s
        await ann.open("/visit")
        assert ann.path == (f"/visit/{place}" if place else "/visit/the-end")

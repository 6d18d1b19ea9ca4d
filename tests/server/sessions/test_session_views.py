"""Views of seats: asked of the simulator once, and never out of date."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from episodes.teams import Team
from episodes.world import AgentMoved, AgentPose
from server.recording.replay import resume
from server.robots.baselines.scripted_player import Put, ScriptedPlayer, Step, Take
from server.robots.playing.knowledge import Knowledge
from server.sessions.core import SessionCore
from server.sessions.intents import Act, Drive, Look, Ready
from server.sessions.spec import SessionSpec
from tests.server.sessions.first_house_sessions import (
    HUMAN,
    ROBOT,
    Recording,
    core_of,
    do,
    episode_spec,
    in_the_open,
    simulator,
    stand_for,
    started,
    task,
)


def agrees(core: SessionCore) -> bool:
    """Tell whether what is remembered of every seat's view is what a fresh look shows."""
    return all(core.view.seen(seat) == core.simulator.seen(seat) for seat in core.seats)


def running(team: str) -> SessionCore:
    spec = SessionSpec.of("ses_1", Team.parse(team), 1)
    core = SessionCore(spec, episode_spec(task(2)), task(2), simulator())
    for seat in core.seats:
        core.submit(seat, Ready())
    core.step()
    assert core.phase == "running"
    return core


def asked_of(core: SessionCore, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count how often the simulator is asked for each seat's view from now on."""
    asked: Counter[str] = Counter()
    look = core.simulator.seen

    def counted(seat: str) -> frozenset[str]:
        asked[seat] += 1
        return look(seat)

    monkeypatch.setattr(core.simulator, "seen", counted)
    return asked


@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_what_is_in_view_is_never_out_of_date(data: Any) -> None:
    core = started(task(data.draw(st.sampled_from((1, 2, 5)))))
    thing = data.draw(st.sampled_from(sorted(core.world.objects)))
    surface = data.draw(st.sampled_from(sorted(core.surfaces.by_name)))
    where = core.surfaces.by_name[surface]
    script: list[Step] = [Take(thing), Put(where.furniture.handle, where.receptacle.kind)]
    player = ScriptedPlayer(HUMAN, script)
    while core.phase == "running" and not player.finished:
        for intent in player.intents(core):
            core.submit(HUMAN, intent)
        tick = core.step()
        player.see(tick)
        # Remembered at every tick, so that whatever a tick changes meets an older view.
        for seat in core.seats:
            core.view.seen(seat)
        if tick.tick % 15 == 0 or any(not isinstance(c, AgentMoved) for c in tick.changes):
            assert agrees(core)


def test_one_that_carries_past_changes_what_others_see(tmp_path: Path) -> None:
    recording = Recording(core_of(task(2)))
    core = recording.core
    recording.step([(seat, Ready()) for seat in core.seats])
    thing = in_the_open(core)
    for seat in (HUMAN, ROBOT):
        stand_for(core, seat, thing)
    assert thing in core.view.seen(ROBOT)
    assert do(core, HUMAN, "pick", thing) == ""
    assert agrees(core)
    away = core.world.agents[HUMAN].yaw + 3.0
    for _ in range(40):
        recording.step([(HUMAN, Look(away, 0.0)), (HUMAN, Drive(1.0, 0.0))])
        assert agrees(core)
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(recording.data())
    again, log, _ = resume(torn, simulator, now=1000.0)
    assert agrees(again)
    log.close(1000.0)
    core.end("operator")
    recording.step()
    core.begin(episode_spec(task(3), "epi_2"), task(3))
    assert agrees(core)


def test_what_is_carried_out_of_view_is_seen_no_longer() -> None:
    core = running("pair")
    thing = in_the_open(core)
    for seat in (HUMAN, ROBOT):
        stand_for(core, seat, thing)
    assert do(core, HUMAN, "pick", thing) == ""
    watcher = core.world.agents[ROBOT]
    core.effects.move(HUMAN, AgentPose(watcher.position, watcher.yaw, 0.0))
    assert thing in core.view.seen(ROBOT)
    core.effects.move(HUMAN, AgentPose(watcher.position, watcher.yaw + math.pi, 0.0))
    assert core.world.agents[ROBOT] == watcher
    assert thing not in core.view.seen(ROBOT)


@pytest.mark.parametrize("team", ["pair", "5human"])
def test_the_simulator_is_asked_once_for_all_who_want_to_know(
    team: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    core = running(team)
    asked = asked_of(core, monkeypatch)
    knowing = [Knowledge(core, seat) for seat in core.seats]
    assert asked == dict.fromkeys(core.seats, 1)
    for _ in range(10):
        core.step()
        for knows in knowing:
            knows.look()
    assert asked == dict.fromkeys(core.seats, 1)
    core.submit(ROBOT if ROBOT in core.seats else HUMAN, Look(2.0, 0.0))
    core.step()
    for knows in knowing:
        knows.look()
    assert sorted(asked.values()) == [1] * (len(knowing) - 1) + [2]


def test_an_act_makes_everybody_look_again(monkeypatch: pytest.MonkeyPatch) -> None:
    core = running("pair")
    thing = in_the_open(core)
    stand_for(core, HUMAN, thing)
    asked = asked_of(core, monkeypatch)
    for _ in range(3):
        for seat in core.seats:
            core.view.seen(seat)
    core.submit(HUMAN, Act(1, "pick", thing))
    core.step()
    for seat in core.seats:
        core.view.seen(seat)
    assert asked == {HUMAN: 2, ROBOT: 2}

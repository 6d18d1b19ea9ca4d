"""Bodies that block: who pushes for 2 s passes through, and a crash changes nothing of it.

On both simulators.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from episodes.houses.splits import HOUSES
from episodes.poses import Vec3
from episodes.world import AgentPose
from server.recording.recordings import read_recording
from server.recording.replay import resume
from server.recording.traces import trace_of
from server.sessions.blocking import APART_M, PASS_TICKS, PUSH_TICKS
from server.sessions.core import SessionCore
from server.sessions.events import Blocked
from server.sessions.intents import Drive, Look, Ready
from server.sessions.state import STILL
from tests.server.sessions.doorways import MEETING_M, pass_through, skilled, straight
from tests.server.sessions.first_house_sessions import (
    HUMAN,
    ROBOT,
    Recording,
    core_of,
    started,
    teleport,
)
from tests.server.simulators.either_simulator import MakeSimulator, on_either

AHEAD = Drive(1.5, 0.0)


def face_to_face(core: SessionCore, apart_m: float = 1.0) -> None:
    """Put two bodies into an open part of a room, the human before the robot."""
    x, y, z = core.simulator.nearest_walkable((0.0, 0.0, 0.0)) or (0.0, 0.0, 0.0)
    ways = [(px / 4, pz / 4) for px in range(-24, 25) for pz in range(-24, 25)]
    for dx, dz in ways:
        start, end = (x + dx, y, z + dz), (x + dx, y, z + dz - 3.0)
        path = core.simulator.find_path(start, end)
        if path is not None and len(path) == 2 and _are_same(path, (start, end)):
            break
    else:
        raise AssertionError("no room is 3 m long")
    teleport(core, HUMAN, AgentPose(start, 0.0, 0.0))
    teleport(core, ROBOT, AgentPose((start[0], y, start[2] - apart_m), 0.0, 0.0))


def _are_same(path: Sequence[Vec3], other: Sequence[Vec3]) -> bool:
    """Tell whether points are the same, but for the single precision of habitat-sim."""
    return all(math.dist(a, b) < 1e-5 for a, b in zip(path, other, strict=True))


def pushing(core: SessionCore, ticks: int) -> list[tuple[int, Blocked]]:
    """Let the human walk ahead; return what was told of blocked bodies, with its tick."""
    told = []
    for number in range(ticks):
        core.submit(HUMAN, AHEAD)
        core.submit(HUMAN, Look(0.0, 0.0))
        told += [(number, e) for e in core.step().events if isinstance(e, Blocked)]
    return told


def gap(core: SessionCore) -> float:
    return core.world.agents[HUMAN].position[2] - core.world.agents[ROBOT].position[2]


@on_either
def test_who_pushes_for_two_seconds_passes_through(simulator: MakeSimulator) -> None:
    core = started(profile="cohabit@2", on=simulator)
    face_to_face(core)
    told = pushing(core, 20)
    assert [e for _, e in told] == [Blocked(HUMAN, ROBOT, "pushes")]
    assert gap(core) == pytest.approx(APART_M, abs=1e-5)
    told += pushing(core, 100)
    assert [e.stage for _, e in told] == ["pushes", "passes", "passed"]
    assert told[1][0] + 20 - told[0][0] == PUSH_TICKS
    assert gap(core) < -APART_M + 1e-5


@on_either
def test_who_walks_along_with_the_one_they_pass_through_is_apart_again_after_three_seconds(
    simulator: MakeSimulator,
) -> None:
    core = started(profile="cohabit@2", on=simulator)
    face_to_face(core)
    told = pushing(core, 20 + PUSH_TICKS)
    assert [e.stage for _, e in told] == ["pushes", "passes"]
    inside, stages = 0, []
    for number in range(2 * PASS_TICKS):
        # The robot turns back and forth with the human, at the same pace.
        way = AHEAD if number // 20 % 2 else Drive(-1.5, 0.0)
        core.submit(HUMAN, way)
        core.submit(ROBOT, way)
        stages += [e.stage for e in core.step().events if isinstance(e, Blocked) if e.seat == HUMAN]
        inside += abs(gap(core)) < APART_M - 0.01
    assert stages[0] == "passed"
    assert inside <= PASS_TICKS + 15


@on_either
def test_the_step_in_which_a_pass_ends_leads_into_nobody(simulator: MakeSimulator) -> None:
    core = started(profile="cohabit@2", on=simulator)
    face_to_face(core)
    pushing(core, 20 + PUSH_TICKS)
    for _ in range(PASS_TICKS):
        core.submit(HUMAN, AHEAD)
        told = [e.stage for e in core.step().events if isinstance(e, Blocked)]
        if "passed" in told:
            break
    # The step of that tick, and the way back into the robot from there, end at its body.
    assert abs(gap(core)) >= APART_M - 1e-5
    core.submit(HUMAN, Drive(-1.5, 0.0))
    core.step()
    assert abs(gap(core)) >= APART_M - 1e-5


@on_either
def test_short_gaps_do_not_begin_the_time_anew_and_long_ones_do(simulator: MakeSimulator) -> None:
    for rest, stages in ((5, ["lets_go", "pushes", "passes"]), (15, ["lets_go", "pushes"])):
        core = started(profile="cohabit@2", on=simulator)
        face_to_face(core)
        pushing(core, 50)
        told: list[Blocked] = []
        for _ in range(rest):
            core.submit(HUMAN, STILL)
            told += [e for e in core.step().events if isinstance(e, Blocked)]
        told += [e for _, e in pushing(core, 30)]
        assert [e.stage for e in told][:3] == stages


@on_either
@pytest.mark.parametrize("profile", ["cohabit@1", "partnr@2"])
def test_in_other_profiles_bodies_pass_through_each_other(
    profile: str, simulator: MakeSimulator
) -> None:
    core = started(profile=profile, on=simulator)
    face_to_face(core)
    assert not pushing(core, 45)
    assert gap(core) < 0


@on_either
def test_bodies_of_those_gone_and_of_nobody_are_in_nobodys_way(simulator: MakeSimulator) -> None:
    left = started(profile="cohabit@2", on=simulator)
    left.set_presence(ROBOT, "gone")
    alone = started(solo=True, profile="cohabit@2", on=simulator)
    for core in (left, alone):
        face_to_face(core)
        assert not pushing(core, 45)
        assert gap(core) < 0


@on_either
def test_who_meets_nobody_walks_to_the_bit_as_before(simulator: MakeSimulator) -> None:
    places = []
    for profile in ("cohabit@1", "cohabit@2"):
        core = started(profile=profile, on=simulator)
        face_to_face(core, 2.9)
        for tick in range(60):
            core.submit(HUMAN, Drive(0.3 * (tick % 5), 0.2))
            core.submit(HUMAN, Look(0.05 * tick, 0.0))
            core.step()
        places.append(core.world.agents[HUMAN])
    assert places[0] == places[1]


@on_either
@pytest.mark.parametrize("ticks", [20, 45, 66])
def test_a_push_goes_on_where_a_crash_broke_it_off(
    ticks: int, tmp_path: Path, simulator: MakeSimulator
) -> None:
    recording = Recording(core_of(profile="cohabit@2", on=simulator))
    core = recording.core
    recording.step([(seat, Ready()) for seat in (HUMAN, ROBOT)])
    recording.step()
    face_to_face(core)
    for tick in range(ticks):
        # The robot turns all the time: a log ends with the last tick in which something happened.
        robot = (ROBOT, Look(0.01 * (tick + 1), 0.0))
        recording.step([(HUMAN, AHEAD), (HUMAN, Look(0.0, 0.0)), robot])
    path = tmp_path / "session.log"
    path.write_bytes(recording.data())
    resumed, log, _ = resume(path, simulator, now=1.0)
    log.close(2.0)
    assert resumed.seats[HUMAN].push == core.seats[HUMAN].push
    assert pushing(resumed, 90) == pushing(core, 90)


@on_either
@pytest.mark.parametrize(("profile", "seconds"), [("cohabit@1", None), ("cohabit@2", 2.0)])
def test_a_recording_tells_for_how_long_each_was_blocked(
    profile: str, seconds: float | None, tmp_path: Path, simulator: MakeSimulator
) -> None:
    recording = Recording(core_of(profile=profile, on=simulator))
    recording.step([(seat, Ready()) for seat in (HUMAN, ROBOT)])
    recording.step()
    face_to_face(recording.core)
    for _ in range(110):
        recording.step([(HUMAN, AHEAD), (HUMAN, Look(0.0, 0.0))])
    path = tmp_path / "session.jsonl"
    path.write_bytes(recording.data())
    seats = {s.seat: s.blocked_s for s in trace_of(read_recording(path)[0]).seats}
    assert seats == {HUMAN: seconds, ROBOT: None if seconds is None else 0.0}


@pytest.mark.parametrize(
    "house",
    [pytest.param(n, marks=[] if n in (5, 26) else [pytest.mark.long]) for n in range(HOUSES)],
)
def test_three_and_two_in_the_narrowest_door_are_through_within_five_seconds(house: int) -> None:
    assert pass_through(house, straight).seconds <= 5.0
    assert pass_through(house, skilled).seconds <= 5.0
    assert pass_through(house, straight, MEETING_M).seconds <= 5.0
    assert pass_through(house, skilled, MEETING_M).seconds <= 5.0

"""The log: what it holds, that its fold is the session, and that a torn one can be resumed."""

from __future__ import annotations

import gzip
import json
import random
from functools import cache
from pathlib import Path
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from episodes.poses import Vec3
from episodes.rules import COHABIT, PROFILES
from server.recording.log_checksums import verify
from server.recording.log_records import End, decode
from server.recording.log_writer import KEYFRAME_TICKS
from server.recording.replay import RecoveryError, episodes_in, fold_all, fold_last, rescore, resume
from server.robots.baselines.expert import solve
from server.robots.baselines.scripted_player import ScriptedPlayer
from server.sessions.core import SessionCore
from server.sessions.events import Said
from server.sessions.intents import (
    Act,
    Drive,
    Finish,
    Intent,
    Look,
    Place,
    Ready,
    Say,
    Select,
)
from server.sessions.spec import TICK_S
from tests.server.sessions.first_house_sessions import (
    HUMAN,
    ROBOT,
    Recording,
    core_of,
    episode_spec,
    simulator,
    task,
)

SEATS = (HUMAN, ROBOT)


def is_over(core: SessionCore) -> bool:
    return core.phase == "ended"


class Played:
    """A solved task with its log, and what the session was like at every tick."""

    def __init__(self, number: int) -> None:
        core = core_of(task(number))
        self.recording = Recording(core)
        self.digests = {0: core.world.digest()}
        self.verdicts = {0: core.verdict()}
        # Beside the person who solves it, a robot that walks about, talks and tries things.
        player = ScriptedPlayer(HUMAN, solve(core))
        rng = random.Random(number)
        self.submitted: list[list[tuple[str, Intent]]] = [[]]
        things = [*core.world.objects, *(f.handle for f in core.simulator.scene.furniture)]
        while not is_over(core):
            wishes: list[tuple[str, Intent]] = [(HUMAN, i) for i in player.intents(core)]
            wishes += [(ROBOT, i) for i in self._robot(core, rng, things)]
            if player.finished:
                wishes.append((ROBOT, Finish()))
            self.submitted.append(wishes)
            player.see(self.recording.step(wishes))
            self.digests[core.tick] = core.world.digest()
            if core.tick % 10 == 0 or is_over(core):
                self.verdicts[core.tick] = core.verdict()
        assert player.failure is None
        self.data = self.recording.data()
        self.core = core

    @staticmethod
    def _robot(core: SessionCore, rng: random.Random, things: list[str]) -> list[Intent]:
        if core.tick == 0:
            return [Ready()]
        wishes: list[Intent] = []
        if core.tick % 25 == 0:
            wishes += [Drive(rng.uniform(-1, 1.5), rng.uniform(-1, 1))]
            wishes += [Look(rng.uniform(-3, 3), rng.uniform(-1, 1))]
        if core.tick % 70 == 0:
            wishes += [Act(core.tick, "open", rng.choice(things)), Select(rng.choice(things))]
        if core.tick % 150 == 0:
            wishes += [Say(f'tick {core.tick}: "quoted" ["said",')]
        return wishes


@cache
def played(number: int) -> Played:
    return Played(number)


@pytest.mark.parametrize("number", range(1, 7))
def test_scoring_the_log_again_gives_the_online_verdict(number: int) -> None:
    game = played(number)
    assert rescore(game.data) == game.core.verdict()
    assert game.core.verdict().success


@pytest.mark.parametrize("number", [3, 6])
def test_fold_of_the_log_is_the_world(number: int) -> None:
    game = played(number)
    ((header, lines),) = episodes_in(game.data)
    fold = fold_all(header, lines)
    assert fold.state.world.digest() == game.core.world.digest()
    assert fold.state.chat == game.core.chat
    assert fold.state.seats == game.core.state.seats
    assert fold.scorer.facts.values == game.core.scorer.facts.values
    # From the last keyframe on it comes to the same.
    late, keyframe_tick = fold_last(game.data, game.core.tick)
    assert keyframe_tick > 0
    assert late.state.world.digest() == game.core.world.digest()
    assert late.state.chat == game.core.chat
    assert late.scorer.verdict() == game.core.verdict()


def test_other_semantics_can_be_asked_of_the_same_log() -> None:
    verdict = rescore(played(6).data, semantics="released")
    assert verdict.semantics == "released"
    assert verdict.percent_complete is not None


def test_header_names_everything_that_decides() -> None:
    line = json.loads(played(3).data.split(b"\n", 1)[0])
    assert line["type"] == "header"
    assert (line["format"], line["tick_rate"]) == (1, 30)
    assert line["simulator"] == "household"
    assert line["episode"]["instruction"] == task(3).instruction
    for field in (
        "scene_digest", "catalogue_digest", "profile_digest", "evaluator_version", "spec",
    ):  # fmt: skip
        assert line[field]


def test_refused_intents_stand_in_the_log_with_their_reasons() -> None:
    lines = [json.loads(raw) for raw in played(3).data.splitlines()]
    heard = [i for line in lines if line["type"] == "tick" for i in line.get("i", ())]
    refusals = [refusal for _, intent, refusal in heard if refusal and intent[0] == "act"]
    assert refusals
    assert all(rule and reason for rule, reason in refusals)


def test_keyframes_come_every_ten_seconds() -> None:
    lines = [json.loads(raw) for raw in played(3).data.splitlines()]
    ticks = [line["tick"] for line in lines if line["type"] == "keyframe"]
    assert ticks == list(range(0, lines[-1]["tick"] + 1, KEYFRAME_TICKS))


def test_an_action_is_on_disk_at_once_and_walking_within_a_second() -> None:
    recording = Recording(core_of(solo=True))
    recording.step([(HUMAN, Ready())])
    recording.step([(HUMAN, Drive(1.0, 0.0))])
    before = len(recording.file.getvalue())
    for _ in range(28):
        recording.step()
        assert len(recording.file.getvalue()) == before
    for _ in range(3):
        recording.step()
    assert len(recording.file.getvalue()) > before
    recording.step([(HUMAN, Say("hello"))])
    verified = verify(recording.file.getvalue())
    assert (verified.tick, verified.lost_bytes) == (recording.core.tick, 0)


def _resume(tmp_path: Path, data: bytes) -> tuple[SessionCore, Path, int]:
    path = tmp_path / "session.log"
    path.write_bytes(data)
    core, log, report = resume(path, simulator, now=1000.0)
    log.close(1000.0)
    assert report.tick == core.tick
    return core, path, report.lost_bytes


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(share=st.floats(0, 1), number=st.sampled_from([3, 6]))
def test_resume_after_a_kill_at_any_byte(tmp_path: Path, share: float, number: int) -> None:
    game = played(number)
    # Before the first checksum there is no session yet.
    first = game.data.index(b'\n{"type":"sum"') + 1
    first = game.data.index(b"\n", first) + 1
    cut = first + round(share * (len(game.data) - first))
    core, path, lost = _resume(tmp_path, game.data[:cut])
    assert 0 <= lost <= 40_000
    assert core.world.digest() == game.digests[core.tick]
    assert core.simulator.objects() == {h: core.world.pose(h) for h in core.world.objects}
    said = [e for t in game.recording.ticks[: core.tick] for e in t.events if isinstance(e, Said)]
    assert [(c.seat, c.text) for c in core.chat] == [(e.seat, e.text) for e in said]
    if core.tick in game.verdicts:
        assert core.verdict() == game.verdicts[core.tick]
    # The same intents from there on lead to the same end.
    for wishes in game.submitted[core.tick + 1 :]:
        for seat, wish in wishes:
            core.submit(seat, wish)
        core.step()
        if core.tick % 50 == 0:
            assert core.world.digest() == game.digests[core.tick]
    assert core.phase == game.core.phase
    assert core.verdict() == game.core.verdict()
    again = verify(path.read_bytes())
    assert again.lost_bytes == 0


def test_a_resumed_log_can_be_scored_and_resumed_again(tmp_path: Path) -> None:
    game = played(6)
    path = tmp_path / "session.log"
    path.write_bytes(game.data[: len(game.data) // 3])
    for _ in range(2):
        core, log, _ = resume(path, simulator, now=1000.0)
        for _ in range(80):
            for seat, wish in game.submitted[core.tick + 1]:
                core.submit(seat, wish)
            log.write(core, core.step(), 1000.0 + core.tick * TICK_S)
        log.close(2000.0)
        path.write_bytes(path.read_bytes()[:-7])
    core, log, report = resume(path, simulator, now=1000.0)
    assert report.lost_bytes > 0
    while core.phase != "ended":
        for seat, wish in game.submitted[core.tick + 1]:
            core.submit(seat, wish)
        log.write(core, core.step(), 1000.0 + core.tick * TICK_S)
    log.close(3000.0)
    assert rescore(path.read_bytes()) == core.verdict() == game.core.verdict()
    assert path.read_bytes().count(b'{"type":"resumed"') == 3


def test_resume_after_the_end_knows_the_result(tmp_path: Path) -> None:
    game = played(3)
    core, _, _ = _resume(tmp_path, game.data)
    assert core.phase == "ended"
    assert core.result() == game.core.result()


@pytest.mark.parametrize("damage", ["flip", "drop a line"])
def test_damage_in_the_middle_is_found(damage: str) -> None:
    data = played(3).data
    middle = data.index(b"\n", len(data) // 2) + 1
    if damage == "flip":
        at = middle + 20
        bad = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
    else:
        bad = data[:middle] + data[data.index(b"\n", middle) + 1 :]
    verified = verify(bad)
    assert 0 < len(verified.data) <= middle
    assert data.startswith(verified.data)


@pytest.mark.parametrize("data", [b"", b"{}\n", b'{"type":"header"', b"\x00\xff" * 50])
def test_nothing_to_resume(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "session.log"
    path.write_bytes(data)
    with pytest.raises(RecoveryError, match="no whole header"):
        resume(path, simulator, now=0.0)
    assert path.read_bytes() == data


def test_several_episodes_in_one_log(tmp_path: Path) -> None:
    recording = Recording(core_of(task(1)))
    core = recording.core
    recording.step([(s, Ready()) for s in SEATS])
    recording.step([(HUMAN, Say("first"))])
    recording.step([(s, Finish()) for s in SEATS])
    first = core.verdict()
    core.begin(episode_spec(task(3), "epi_2"), task(3))
    recording.log.open_episode(core, 1.0)
    recording.step([(s, Ready()) for s in SEATS])
    recording.step([(HUMAN, Say("second"))])
    for _ in range(40):
        recording.step([(HUMAN, Drive(1.0, 0.2))])
    data = recording.data()
    assert rescore(data, "epi_1") == first
    assert rescore(data) == rescore(data, "epi_2") == core.verdict()
    with pytest.raises(RecoveryError):
        rescore(data, "epi_3")
    resumed, _, _ = _resume(tmp_path, data)
    assert resumed.episode_spec.episode_id == "epi_2"
    assert [c.text for c in resumed.chat] == ["first", "second"]
    assert resumed.state.chat_shown_after == core.state.chat_shown_after
    assert resumed.state.chat_shown_after < 0
    assert resumed.world.digest() == core.world.digest()
    assert resumed.tick == core.tick


def test_a_resumed_second_try_shows_nothing_that_was_said_in_the_first(tmp_path: Path) -> None:
    recording = Recording(core_of(task(1)))
    core = recording.core
    recording.step([(s, Ready()) for s in SEATS])
    recording.step([(s, Finish()) for s in SEATS])
    core.begin(episode_spec(task(1), "epi_2", try_index=1), task(1))
    recording.log.open_episode(core, 1.0)
    recording.step([(s, Ready()) for s in SEATS])
    resumed, _, _ = _resume(tmp_path, recording.data())
    assert 0 <= resumed.state.chat_shown_after == core.state.chat_shown_after


# Any intents at all


# With arms as long as the house most wishes come true wherever the bodies happen to stand.
LONG_ARMS = msgspec.structs.replace(
    COHABIT,
    name="long_arms",
    reach_m=100.0,
    faucet_m=100.0,
    state_changers=("human", "robot"),
    verbs={
        verb: tuple(r for r in rules if r not in ("in_sight", "spot_in_sight", "water"))
        for verb, rules in COHABIT.verbs.items()
    },
)


@cache
def _things() -> tuple[list[str], list[Vec3]]:
    """Return names to act on (one of which is nothing), and points to place at."""
    core = core_of(task(6))
    furniture = [f.handle for f in core.simulator.scene.furniture]
    names = [*core.world.objects] * 3 + furniture + ["nothing_1_:0000"]
    points = [s.point(core.world.joints, 0.0, 0.0) for s in core.surfaces.by_name.values()]
    return names, [*points, *(p.position for p in core.world.objects.values())]


def _intent() -> st.SearchStrategy[Intent]:
    names, points = _things()
    number = st.floats(-12, 12)
    name = st.sampled_from(names)
    part = st.one_of(st.none(), st.integers(-1, 4))
    verbs = ["pick", "open", "close", "clean", "fill", "pour", "power_on", "power_off"]
    act = st.builds(Act, st.integers(0, 9), st.sampled_from(verbs), name, part)
    place = st.builds(Place, st.integers(0, 9), st.sampled_from(points), number)
    return st.one_of(
        act,
        act,
        place,
        place,
        st.builds(Place, st.integers(0, 9), st.tuples(number, st.floats(-1, 3), number), number),
        st.builds(Drive, number, number),
        st.builds(Look, number, number),
        st.builds(Say, st.text(max_size=8)),
        st.builds(Ready),
        st.builds(Finish, st.booleans()),
        st.builds(Select, st.one_of(st.none(), name), part),
    )


PRESENCES = ["loading", "ready", "connected", "reconnecting", "gone"]
PRESENCE = st.one_of(
    st.none(), st.none(), st.tuples(st.sampled_from(SEATS), st.sampled_from(PRESENCES))
)


@settings(max_examples=40, deadline=None)
@given(data=st.data(), profile=st.sampled_from(["cohabit", "partnr", "long_arms", "long_arms"]))
def test_any_intents_keep_log_and_session_together(data: st.DataObject, profile: str) -> None:
    with patch.dict(PROFILES, long_arms=LONG_ARMS):
        recording = Recording(core_of(task(6), profile=profile, time_limit_s=20.0))
    core = recording.core
    recording.step([(s, Ready()) for s in SEATS])
    wishes = st.lists(st.tuples(st.sampled_from(SEATS), _intent()), max_size=4)
    rounds = data.draw(st.lists(st.tuples(wishes, PRESENCE, st.integers(1, 20)), max_size=40))
    for wanted, presence, ticks in rounds:
        if presence is not None:
            core.set_presence(presence[0], presence[1], 3.0)  # type: ignore[arg-type]
        recording.step(wanted)
        for _ in range(ticks - 1):
            recording.step()
        for handle in core.world.objects:
            assert core.simulator.pose(handle) == core.world.pose(handle)
    log = recording.data()
    ((header, lines),) = episodes_in(log)
    fold = fold_all(header, lines)
    assert fold.state.world.digest() == core.world.digest()
    assert fold.state.seats == core.state.seats
    assert (fold.state.phase, fold.state.chat) == (core.phase, core.chat)
    assert fold.scorer.facts.values == core.scorer.facts.values
    assert rescore(log) == core.verdict()


@pytest.mark.parametrize("stopped_by", ["presence", "occupant"])
def test_walking_on_after_an_event_stopped_the_seat_stands_in_the_log(stopped_by: str) -> None:
    recording = Recording(core_of(task(6)))
    core = recording.core
    recording.step([(s, Ready()) for s in SEATS])
    if stopped_by == "presence":
        core.set_presence(HUMAN, "loading", 3.0)
    else:
        core.set_occupant(HUMAN, "expert")
    recording.step([(HUMAN, Drive(1.0, 0.0))])
    assert core.seats[HUMAN].drive == Drive(0.0, 0.0)
    for _ in range(2):
        recording.step([(HUMAN, Drive(1.0, 0.0))])
    log = recording.data()
    ((header, lines),) = episodes_in(log)
    fold = fold_all(header, lines)
    assert fold.state.seats == core.state.seats
    assert fold.state.seats[HUMAN].drive == Drive(1.0, 0.0)
    # What stays in force is written once.
    assert log.count(b'["drive",1.0,0.0]') == 2


# Logs that are kept for ever

LOGS = sorted((Path(__file__).parents[2] / "data" / "session_logs").glob("*.jsonl.gz"))


@pytest.mark.parametrize("path", LOGS, ids=lambda p: p.name)
def test_logs_of_every_format_can_still_be_read_and_scored(path: Path) -> None:
    data = gzip.decompress(path.read_bytes())
    assert verify(data).lost_bytes == 0
    end = next(line for raw in data.splitlines() if isinstance(line := decode(raw), End))
    ((header, lines),) = episodes_in(data)
    fold = fold_all(header, lines)
    assert fold.state.world.digest() == end.result.state_digest
    assert fold.state.phase == "ended"
    verdict = fold.scorer.verdict()
    assert (verdict.percent_complete, verdict.success) == (1.0, True)
    # By-the-way fields may be added to a verdict, but not change.
    assert verdict.propositions == end.result.verdict.propositions
    assert [c.text for c in fold.state.chat] == ["I look on"]

"""The secrecy of what is hidden: what a seat is sent tells nothing of it, proven by reading it all.

Two sessions that differ only in something hidden must send the same bytes. That is stronger than
looking for names in them: not even a tick's difference may come through.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

from episodes.dataset import Proposition, Task
from server.recording.log_writer import LogWriter
from server.robots.baselines.expert import Expert
from server.robots.baselines.expert.agenda import Agenda
from server.sessions.core import SessionCore
from server.sessions.intents import Drive, Intent, Look, Ready
from server.sessions.player import Player
from server.sessions.spec import SeatSpec, SessionSpec
from server.wire import messages
from server.wire.codecs import CODECS, inflate
from server.wire.messages import (
    ActInput,
    DriveInput,
    FinishInput,
    Ping,
    ReadyInput,
    SayInput,
    SelectInput,
)
from server.worker.live_session import LiveSession
from server.worker.policy_seats import Company, PolicyBuilder
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, episode_spec, simulator, task

HERE, THERE = 1, 2
Script = Mapping[int, Sequence[Any]]
"""Messages, or intents of a policy, by tick."""


def played(
    human: Script,
    robot: Script | None,
    *,
    ticks: int = 600,
    episode: Task | None = None,
    policies: PolicyBuilder | None = None,
    robot_policy: str = "",
    codec: str = "json",
    **spec: Any,
) -> tuple[list[bytes], LiveSession]:
    """Return every byte that the human's seat was sent in a session, in order."""
    pair = SessionSpec.pair("ses_1", 1)
    seats = tuple(
        SeatSpec(s.seat, True, robot_policy if s.seat.seat_id == ROBOT else "") for s in pair.seats
    )
    made = msgspec.structs.replace(pair, seats=seats, **spec)
    episode = episode or task(2)
    core = SessionCore(made, episode_spec(episode, time_limit_s=60.0), episode, simulator())
    log = LogWriter(io.BytesIO())
    log.open_episode(core, 0.0)
    session = LiveSession(core, log, loading_ticks=300, code_version="1", policies=policies)
    heard: list[bytes] = []
    session.attach(HERE, HUMAN, codec)  # type: ignore[arg-type]
    if robot is not None:
        session.attach(THERE, ROBOT, "msgpack")
    for number in range(ticks):
        for connection, script in ((HERE, human), (THERE, robot or {})):
            for message in script.get(number, ()):
                session.receive(connection, msgspec.msgpack.encode(message))
        heard += [o.payload for o in session.step(number / 30) if HERE in o.connections]
        if core.phase == "ended":
            break
    return heard, session


HUMAN_PLAYS: Script = {
    0: [ReadyInput()],
    5: [DriveInput(1, 900, 100, 300, -50), Ping(2, 30)],
    30: [SayInput("Shall I take the cup?"), SelectInput(20)],
    60: [DriveInput(2, 0, 0, 900, 0), ActInput(3, 1, "pick", 90_000)],
    300: [FinishInput()],
}


class Replayed(Player):
    """A policy that does what a person did."""

    def __init__(self, seat: str, company: Company) -> None:
        self.seat = seat

    def intents(self, core: SessionCore) -> list[Intent]:
        match core.tick:
            case 2:
                return [Ready()]
            case 40:
                return [Drive(0.7, 0.0), Look(0.5, 0.0)]
            case 70:
                return [Drive(0.0, 0.0), Look(0.5, 0.0)]
        return []

    def see(self, tick: Any) -> None: ...


class Chatty(Replayed):
    """A policy that does the same and says what it is doing."""

    status = "thinking"


ROBOT_PLAYS: Script = {
    2: [ReadyInput()],
    40: [DriveInput(1, 700, 0, 500, 0)],
    # A person repeats what keys are held; a body is where it is for either.
    50: [DriveInput(1, 700, 0, 500, 0)],
    60: [DriveInput(1, 700, 0, 500, 0)],
    70: [DriveInput(2, 0, 0, 500, 0)],
}


@pytest.mark.parametrize("codec", ["json", "msgpack"])
def test_a_policy_looks_like_a_person(codec: str) -> None:
    person, _ = played(HUMAN_PLAYS, ROBOT_PLAYS, codec=codec, tells_doing=False)
    policy, session = played(
        HUMAN_PLAYS,
        None,
        policies={"replayed": Replayed},
        robot_policy="replayed",
        codec=codec,
        tells_doing=False,
    )
    assert session.core.seats[ROBOT].policy == "replayed"
    assert len(person) > 30
    assert person == policy


def test_what_a_policy_says_it_is_doing_is_told_only_where_that_is_wanted() -> None:
    policies = {"chatty": Chatty}
    person, _ = played(HUMAN_PLAYS, ROBOT_PLAYS)
    told, _ = played(HUMAN_PLAYS, None, policies=policies, robot_policy="chatty")
    hidden, _ = played(
        HUMAN_PLAYS, None, policies=policies, robot_policy="chatty", tells_doing=False
    )
    assert hidden == person
    assert told != person


def test_what_is_asked_and_refused_is_between_a_seat_and_the_server() -> None:
    quiet, _ = played(HUMAN_PLAYS, ROBOT_PLAYS)
    asks: Script = {
        **ROBOT_PLAYS,
        20: [SelectInput(3), ActInput(1, 7, "pick", 2), ActInput(1, 8, "clean", 5)],
        25: [messages.PreviewInput(1, (0, 0, 0), 0), SelectInput(-1), Ping(4, 900, 80_000)],
    }
    told, session = played(HUMAN_PLAYS, asks)
    # It did ask, and was answered.
    assert session.core.seats[ROBOT].selection is not None
    assert quiet == told


def test_the_evaluator_is_not_heard() -> None:
    """Other goals, other semantics, other outcomes after a loss give the same bytes."""
    usual, first = played(HUMAN_PLAYS, ROBOT_PLAYS)
    episode = task(2)
    args = episode.evaluation_propositions[0].args
    goal = Proposition("is_on_floor", {"object_handles": args["object_handles"], "number": 1})
    other_goals = msgspec.structs.replace(
        episode,
        evaluation_propositions=[goal],
        evaluation_proposition_dependencies=[],
        evaluation_constraints=[],
    )
    for changes in (
        {"episode": other_goals},
        {"semantics": "released"},
        {"when_gone": "policy", "stand_in": "replayed", "policies": {"replayed": Replayed}},
        {"when_gone": "end"},
        {"seed": 1, "reconnect_window_s": 30.0},
    ):
        heard, _ = played(HUMAN_PLAYS, ROBOT_PLAYS, **changes)
        assert heard == usual, changes
    assert (
        first.core.verdict()
        != played(HUMAN_PLAYS, ROBOT_PLAYS, episode=other_goals)[1].core.verdict()
    )


# The bytes themselves


@pytest.mark.parametrize("codec", ["json", "msgpack"])
def test_X6_a_whole_task_played_by_experts_tells_nothing_but_what_the_protocol_says(
    codec: str,
) -> None:
    """Watch two policies from the start to the end of the task."""
    agenda = Agenda((HUMAN, ROBOT))

    def expert(seat: str, company: Company) -> Expert:
        return Expert(seat, agenda)

    names = {"zzz_secret_policy": expert}
    pair = SessionSpec.pair("ses_1", 1)
    spec = msgspec.structs.replace(
        pair, seats=tuple(SeatSpec(s.seat, True, "zzz_secret_policy") for s in pair.seats)
    )
    episode = task(2)
    core = SessionCore(spec, episode_spec(episode, time_limit_s=600.0), episode, simulator())
    log = LogWriter(io.BytesIO())
    log.open_episode(core, 0.0)
    session = LiveSession(core, log, loading_ticks=300, code_version="1", policies=names)
    session.attach(HERE, HUMAN, codec)  # type: ignore[arg-type]
    heard: list[bytes] = []
    while core.phase != "ended" and core.tick < 20_000:
        heard += [o.payload for o in session.step(core.tick / 30) if HERE in o.connections]
    assert core.phase == "ended"
    assert core.verdict().success

    secrets = {"zzz_secret_policy", "documented", "expert", "stands_in", "proposition"}
    for outcome in core.verdict().propositions:
        secrets |= {outcome.text, outcome.should_text}
    read = CODECS[codec]
    kinds = set()
    for payload in heard:
        plain = inflate(payload) if payload[:1] == b"\x78" else payload
        message = read.decode_server(payload)
        # Nothing travels beside the fields that are declared.
        assert read.encode(message) == plain
        kinds.add(type(message).__name__)
        for secret in secrets:
            assert secret.encode() not in plain, (secret, message)
    assert {"Welcome", "Snapshot", "Frame"} <= kinds


def test_the_declared_fields_are_these() -> None:
    """Stop a new field here before anybody is sent it.

    Does it tell who a partner is, in which condition, how the evaluator sees it, or what somebody
    else was told?
    """
    declared = {
        name
        for union in (messages.ServerMessage, messages.WireEvent)
        for struct in union.__args__
        for name in fields_below(struct)
    }
    assert declared == {
        # of the episode
        "tick", "episode_id", "session_id", "task_text", "phase", "started_tick", "finishing",
        "clock_tick",
        "time_limit_ticks", "profile", "features", "reach", "reason", "asset_root", "stage_asset",
        "server_version", "tick_rate", "chat_limit", "reconnect_s", "me", "code",
        # of seats: the body, not who drives it
        "seats", "seat", "seat_id", "kind", "occupied", "presence", "finished", "seconds_left",
        "speed", "radius", "height", "eye", "carry",
        # of policies, where a session `tells_doing`
        "doing", "program",
        # and where it `tells_aims`
        "place", "why",
        # of the world
        "rooms", "room_id", "label", "polygon", "templates", "template", "name", "class_name",
        "low", "high", "parts", "affords", "asset", "joint", "origin", "axis", "open_value",
        "space",
        "entities", "entity", "instance", "number", "room", "position", "rotation", "walkable",
        "agents", "x", "y", "z", "yaw", "pitch", "furniture", "part", "value", "holders",
        "index", "flags", "state", "objects", "appeared", "vanished",
        # of who passes through whom: bodies that everybody sees
        "by", "passes",
        # of what happened
        "events", "chat", "text", "verb", "target", "where", "intent_id",
        # answers to the seat that asked
        "rule", "actions", "possible", "preview_id", "fits", "client_ms",
    }  # fmt: skip


def fields_below(struct: Any) -> set[str]:
    """Return the names of all fields of a struct, and of the structs within."""
    found: set[str] = set()
    for field in msgspec.structs.fields(struct):
        found.add(field.name)
        for inner in structs_in(field.type):
            found |= fields_below(inner)
    return found


def structs_in(kind: Any) -> list[Any]:
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return [kind]
    return [s for argument in getattr(kind, "__args__", ()) for s in structs_in(argument)]

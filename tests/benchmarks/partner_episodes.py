"""Episodes of a robot beside a scripted person, with doubles for its model, and their figures."""

from __future__ import annotations

import asyncio
import math
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from episodes.dataset import Task
from episodes.metrics import endings, restricted
from episodes.metrics.partnr import partnr
from episodes.seats import PAIR
from server.recording.log_writer import LogWriter
from server.recording.prompt_deduplication import shared_chars
from server.recording.recordings import read_recording
from server.recording.traces import trace_of
from server.robots.models import Completes, ModelAnswer, ModelRequest
from server.robots.models.call_record import prompt_text
from server.robots.playing.policy_player import PolicyPlayer
from server.robots.playing.thinkers import ChargedThinker, Thought
from server.robots.policy_spec import PlayerOptions
from server.robots.registry.registry import make_player
from server.robots.registry.team_checks import with_scripted_people
from server.sessions.core import SessionCore, Tick
from server.sessions.player import Player
from server.sessions.spec import TICK_S, Ending, EpisodeSpec, SeatSpec, SessionSpec
from server.simulators.household import HouseholdSimulator, HouseLibrary
from server.worker.unpaced_runner import run_to_an_end
from tests.benchmarks.charging import Later
from tests.benchmarks.robots import double_for
from tests.robot_doubles.errors import Errors, misread
from tests.robot_doubles.served import owner_with
from tests.server.sessions.first_house_sessions import HUMAN, ROBOT

ALONE = "alone"
MAX_TICKS = 15_000
NO_ERRORS = Errors()
CALL_S, READ_PER_S, SAID_PER_S = 0.2, 4000.0, 50.0


class Played(msgspec.Struct, frozen=True):
    """An episode that was played.

    ``tokens`` and ``model_s`` are of all its calls; ``stood_s`` is how long the robot stood still
    for them in all.
    """

    robot: str
    person: str
    task: str
    success: bool
    percent: float
    house: str
    until_finished: float
    until_success: float
    extraneous: float
    rearranged: float | None
    """The share of rearrangements that were extraneous."""
    offloading: float | None
    share: float | None
    """The robot's share of the credit, whatever the outcome."""
    questions: int
    """Lines that the robot said and that end in a question mark."""
    calls: int
    tokens: int
    model_s: float
    stood_s: float
    why: str
    seed: int = 0
    """The seed of the person's draws."""
    errors: str = ""
    """The errors of the doubles that answered; empty: none."""
    answered_by: str = ""
    """Card of the doubles that answered, as a model server gives it; empty: nobody was asked."""

    @property
    def key(self) -> tuple[str, str, str, int, str]:
        return self.robot, self.person, self.task, self.seed, self.errors


class Charging:
    """A model, with the time that its answers would take; charges it to the body that waits."""

    def __init__(self, model: Completes, loop: asyncio.AbstractEventLoop) -> None:
        self._model, self._loop = model, loop
        self._last = ""
        self.latencies: list[float] = []
        self.tokens = 0

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        answer = await self._model.complete(request)
        prompt = prompt_text(request)
        # Servers keep the start of the prompt before.
        new = (len(prompt) - shared_chars(self._last, prompt)) / 4
        self._last = prompt
        asked, said = len(prompt) / 4, len(answer.text) / 4
        self.latencies.append(CALL_S + new / READ_PER_S + said / SAID_PER_S)
        self.tokens += round(asked + said)
        return answer

    def start(self, deciding: Any, tick: int) -> Thought:
        """Return a thinker whose decisions take as long as their calls."""
        calls = len(self.latencies)
        made = ChargedThinker(self._loop, 0.0).start(deciding, tick)
        took_s = math.fsum(self.latencies[calls:])
        return Later(made, tick + math.ceil(took_s / TICK_S))


def core_of(task: Task, library: HouseLibrary, robot: str, person: str) -> SessionCore:
    """Return a session that ends when everybody has finished."""
    names = {ROBOT: "" if robot == ALONE else robot, HUMAN: person}
    seats = tuple(SeatSpec(s, bool(names[s.seat_id]), names[s.seat_id]) for s in PAIR)
    return SessionCore(
        with_scripted_people(SessionSpec("ses_1", seats, 1, finish_wait_s=0.0, ending=Ending())),
        EpisodeSpec("epi_1", "tasks", task.task_id),
        task,
        HouseholdSimulator(library),
    )


def play(
    task: Task,
    library: HouseLibrary,
    robot: str,
    person: str,
    name: str,
    errors: Errors = NO_ERRORS,
    seed: int = 0,
) -> Played:
    """Play one episode, recorded, and measure it from the recording.

    With ``errors`` the double has misread the task; the person has not.
    """
    core = core_of(task, library, robot, person)
    believed = misread(task, errors)
    loop = asyncio.new_event_loop()
    source = core if believed == task else core_of(believed, library, robot, person)
    charging = Charging(double_for(robot, source), loop)
    making = PlayerOptions(charging, charging, seed)
    players: list[Player] = [make_player(person, HUMAN, making)]
    if robot != ALONE:
        players.append(make_player(robot, ROBOT, making))
    stood = 0

    def watch(_: Tick) -> None:
        nonlocal stood
        stood += any(
            isinstance(p, PolicyPlayer) and p.seat == ROBOT and p.status == "thinking"
            for p in players
        )

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ses_1.jsonl"
        log = LogWriter(path.open("wb"))
        log.open_episode(core, 0.0)
        result = run_to_an_end(core, players, MAX_TICKS, log=log, watch=watch)
        log.close(core.tick * TICK_S)
        (recording,) = read_recording(path)
    loop.close()
    trace = trace_of(recording)
    measures, both = partnr(trace), endings(trace, task.evaluation_propositions)
    return Played(
        robot,
        person,
        name,
        bool(result.verdict.success),
        result.verdict.percent_complete or 0.0,
        task.scene_id,
        restricted(trace.ticks if result.verdict.success else None, MAX_TICKS),
        restricted(both.steps_to_success, MAX_TICKS),
        1.0 if measures.extraneous is None else measures.extraneous,
        measures.extraneous_study,
        measures.offloading,
        both.robot_share,
        sum(line.seat == ROBOT and line.text.endswith("?") for line in core.chat),
        len(charging.latencies),
        charging.tokens,
        math.fsum(charging.latencies),
        stood * TICK_S,
        result.verdict.explanation,
        seed,
        errors.told,
        f"double of {owner_with(errors.told)}, from None, with None tokens"
        if charging.latencies
        else "",
    )

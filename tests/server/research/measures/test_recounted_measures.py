"""Measures of played episodes against a recount from raw lines that shares no code with them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from episodes.bounded_files import LARGEST
from episodes.tasks import first_tasks
from server.recording.log_writer import LogWriter
from server.recording.recordings import read_recording
from server.research.measures.doings import doings_of
from server.research.measures.registry import MEASURES
from server.robots.baselines.expert import solve
from server.robots.baselines.scripted_player import (
    Done,
    Put,
    PutAnywhere,
    Rest,
    ScriptedPlayer,
    Speak,
    Step,
    Take,
)
from server.sessions.core import SessionCore
from server.sessions.intents import Act, Intent, Select
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.simulators.household import HouseholdSimulator
from server.wire.messages import PageStats
from server.worker.unpaced_runner import run
from tests.server.recording.short_recordings import HUMAN, ROBOT, library
from tests.server.research.measures.hand_made import call, values
from tests.server.research.measures.raw_recount import recount
from tests.server.research.measures.test_page_measures import PAGES

pytestmark = pytest.mark.processes

NOT_RECOUNTED = {
    measure.name: "which class an error has follows from all preconditions of an action in the "
    "world as it was; the classifier has cases of its own (tests/episodes/errors)"
    for measure in MEASURES
    if measure.name.startswith("error_")
}
"""Reasons for which a measure is not recounted."""
WITHIN = {"shared_room": 1.0}
"""Differences that are none (s): bodies are looked for in rooms every sixth of a second."""


class Written(NamedTuple):
    """Things that are written into the log at a tick, as a worker does."""

    tick: int
    pages: Sequence[PageStats] = ()
    late_s: Sequence[float] = ()
    asks: bool = False


class Busy(ScriptedPlayer):
    """A script beside which things are selected, tried in vain, and written into the log."""

    def __init__(
        self,
        seat: str,
        steps: Sequence[Step],
        tries: Sequence[Intent] = (),
        log: LogWriter | None = None,
        written: Sequence[Written] = (),
    ) -> None:
        super().__init__(seat, steps)
        self._tries, self._log, self._written = list(tries), log, list(written)

    def intents(self, core: SessionCore) -> list[Intent]:
        found = super().intents(core)
        if self._log is not None and self._written and core.tick >= self._written[0].tick:
            told, now = self._written.pop(0), core.tick / 30
            for stats in told.pages:
                self._log.page(core, HUMAN, stats, now)
            if told.late_s:
                self._log.pace(core, told.late_s, now)
            if told.asks:
                asked = call(asked_tick=30, observed_tick=15, latency_s=1.0, queue_s=0.5)
                late = call(asked_tick=90, observed_tick=45, latency_s=2.5, stale="it is gone")
                self._log.model_calls(core, [asked, late], now)
        if core.phase == "running" and self._tries and core.tick % 7 == 0:
            return [self._tries.pop(0), *found]
        return found


def played(path: Path, number: int, limit_s: float | None, robot_does: str) -> Path:
    """Play a first task to its end by two busy bodies and record it."""
    task = first_tasks()[number - 1]
    core = SessionCore(
        SessionSpec.pair("ses_1", 1),
        EpisodeSpec("epi_1", "first", task.task_id, time_limit_s=limit_s),
        task,
        HouseholdSimulator(library()),
    )
    steps = list(solve(core))
    thing = next(step.target for step in steps if isinstance(step, Take))
    with path.open("wb") as file:
        log = LogWriter(file)
        log.open_episode(core, 0.0)
        written = (
            Written(20, PAGES, (0.001, 0.004)),
            Written(70, (), (0.002,), asks=True),
        )
        tries: list[Intent] = [
            Select(thing, None),
            Act(900, "pick", thing),
            Select(None, None),
            Act(901, "pick", thing),
        ]
        said = Speak(f"could you bring the {thing.partition('_')[0]} please")
        mine: list[Step] = [said, *steps, Done()]
        others: list[Step] = [Speak("yes"), Rest(40), Done()]
        if robot_does == "hands over":
            mine = [said, Rest(500), *steps, Done()]
            others = [Rest(30), Take(thing), PutAnywhere(), Speak("there it is"), Done()]
        elif robot_does == "undoes":
            put = next(step for step in steps if isinstance(step, Put))
            mine = [said, *steps, Rest(900), Done()]
            others = [Rest(1300), Take(thing), Rest(30), put, Done()]
        elif robot_does == "half of it":
            first = next(steps.index(step) for step in steps if isinstance(step, Put))
            mine, others = [said, Done()], [*steps[: first + 1], Done()]
        human = Busy(HUMAN, mine, tries[:2], log, written)
        robot = Busy(ROBOT, others, tries)
        result = run(core, [human, robot], 9000, log=log)
        log.close(core.tick / 30)
    assert (human.failure, robot.failure) == (None, None)
    assert result is not None
    return path


@pytest.mark.parametrize(
    ("number", "limit_s", "robot_does"),
    [
        (1, None, "hands over"),
        (2, 300.0, "nothing"),
        (2, None, "hands over"),
        (1, 120.0, "undoes"),
        (1, 120.0, "half of it"),
    ],
)
def test_every_measure_is_what_the_raw_lines_say(
    tmp_path: Path, number: int, limit_s: float | None, robot_does: str
) -> None:
    path = played(tmp_path / "one.jsonl", number, limit_s, robot_does)
    (recording,) = read_recording(path, LARGEST)
    doings, found = doings_of(recording), recount(path)
    assert {m.name for m in MEASURES} == found.keys() | NOT_RECOUNTED.keys()
    differing = {}
    for measure in MEASURES:
        if measure.name in NOT_RECOUNTED:
            continue
        told = values(measure, doings)
        within = WITHIN.get(measure.name, 1e-6)
        if told != pytest.approx(found[measure.name], abs=within):
            differing[measure.name] = (told, found[measure.name])
    assert differing == {}

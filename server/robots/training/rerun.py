"""The rerun of recorded episodes, so that what a seat knew at each moment can be told."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from server.recording.recordings import Recording, RecordingError
from server.robots.baselines.ghost import Ghost, part_of
from server.sessions.core import SessionCore, Tick
from server.sessions.spec import TICK_S
from server.sessions.tick_driver import FixedPlayers, TickDriver
from server.simulators.contract import Simulator

MakeSimulator = Callable[[], Simulator]


class DivergedError(RecordingError):
    """A rerun that went otherwise than the episode was recorded."""


def rerun(recording: Recording, simulator: MakeSimulator) -> Iterator[tuple[SessionCore, Tick]]:
    """Yield each step of an episode: the core, and what the step came to.

    Before the first step nothing has happened; look at the core before asking for more. Raises
    RecordingError where it cannot be played here, DivergedError at the end where it ended
    otherwise.
    """
    core = open_again(recording, simulator)
    header = recording.header
    ghosts = [
        Ghost(s.seat.seat_id, part_of(recording, s.seat.seat_id))
        for s in header.spec.seats
        if s.occupied
    ]
    driver = TickDriver(core, FixedPlayers(core, ghosts))
    last = max((g.part.ends for g in ghosts), default=0)
    while core.phase != "ended":
        started = core.state.started_tick
        if started is not None and core.tick - started > last + 1:
            break
        yield core, driver.step((core.tick + 1) * TICK_S)
    verdict = core.verdict()
    recorded = recording.result
    if recorded is not None and verdict.percent_complete != recorded.verdict.percent_complete:
        raise DivergedError(
            f"{recording.path}: {recording.episode_id} ended at "
            f"{recorded.verdict.percent_complete}, played again at {verdict.percent_complete}"
        )


def open_again(recording: Recording, simulator: MakeSimulator) -> SessionCore:
    """Open the episode at its start. Raises RecordingError."""
    header = recording.header
    made = simulator()
    if made.name != header.simulator:
        raise RecordingError(f"{recording.path}: played on {header.simulator}, here is {made.name}")
    try:
        core = SessionCore(header.played_spec, header.episode_spec, header.task, made)
    except Exception as error:
        raise RecordingError(f"{recording.path}: it cannot be opened again: {error}") from error
    if made.scene.digest != header.scene_digest or made.catalogue.digest != header.catalogue_digest:
        raise RecordingError(
            f"{recording.path}: the house {header.task.scene_id} has been built anew since"
        )
    return core

"""The replay of a log: fold it, go on from it, score it again.

`Fold` replays lines into an `EpisodeState` and a scorer without a simulator. `resume` folds from
the last keyframe and hands the result to a new core; `rescore` folds a whole episode.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from episodes.bounded_files import NumberedLine, UnreadableError, lines_of
from episodes.evaluation import EvaluatorState, PropositionChange, SafeEvaluator, Verdict
from episodes.rules import profile_named
from server.recording.durable_file import open_log
from server.recording.line_sealing import LineSealer
from server.recording.log_checksums import Verified, verify
from server.recording.log_records import (
    DID_START,
    END_START,
    HEADER_START,
    KEYFRAME_START,
    LOG_FORMAT,
    RESUMED_START,
    SAID_START,
    TICK_START,
    Checksum,
    Header,
    Keyframe,
    Line,
    Resumed,
    TickLine,
    decode,
    decode_numbered,
)
from server.recording.log_writer import LogWriter
from server.recording.played_mark import read_mark
from server.sessions.core import SessionCore
from server.sessions.evaluation import EpisodeScorer, changed_in, task_of
from server.sessions.events import Said
from server.sessions.facts import FactTable
from server.sessions.phase_rules import limit_ticks
from server.sessions.play_count import NO_PLAY, PlayCount
from server.sessions.spec import TICK_RATE, EpisodeSpec, SessionSpec
from server.sessions.state import ChatEntry, EpisodeState
from server.simulators.contract import Simulator

_TICK_NUMBER = re.compile(rb'^\{"type":"(?:tick","t|sum","tick|keyframe","tick)":(\d{1,8})[,}]')
_RESUMED_LINE = re.compile(rb"\n(" + re.escape(RESUMED_START) + rb"[^\n]*)\n")

MOST_TICKS = 30 * 24 * 3600 * TICK_RATE
"""Most ticks of a session: a month. A log that says more would be folded for ever."""


class RecoveryError(Exception):
    """A log from which nothing can be resumed or scored: says which and why."""


class RecoveryReport(NamedTuple):
    """Findings of a recovery: the tick the session goes on from, and what the torn end cost.

    ``lost`` was played after that tick.
    """

    tick: int
    keyframe_tick: int
    lost_bytes: int
    lost: PlayCount
    session_id: str
    episode_id: str


class Fold:
    """An episode in the making, from the lines of its log."""

    def __init__(self, header: Header, semantics: str | None = None) -> None:
        self.header = header
        self._semantics = semantics or header.spec.semantics
        self._is_own = semantics is None
        self.state = EpisodeState(header.played_spec)
        limit = limit_ticks(header.episode_spec.time_limit_s)
        self.state.limit = self.state.full_limit = limit
        self.scorer = self._make_scorer(None, None)

    def _make_scorer(self, evaluator: EvaluatorState | None, problem: str | None) -> EpisodeScorer:
        """Make a scorer that asks the log's facts, from its beginning or from a keyframe."""
        header = self.header
        task = task_of(header.task, header.classes)
        return EpisodeScorer(
            task,
            SafeEvaluator(task, semantics=self._semantics, state=evaluator, reason=problem),
            FactTable(header.questions),
        )

    def load(self, frame: Keyframe, chat: Iterable[ChatEntry] = ()) -> None:
        """Set everything as a keyframe says; ``chat`` is what was said before it."""
        state = self.state
        state.chat = list(chat)
        state.tick, state.phase, state.end_reason = frame.tick, frame.phase, frame.end_reason
        state.started_tick, state.ended_tick = frame.started_tick, frame.ended_tick
        state.paused_tick, state.clock = frame.paused_tick, frame.clock
        state.seats = dict(frame.seats)
        if frame.limits is not None:
            state.set_limits(*frame.limits)
        state.world = type(state.world).from_changes(state.bodies, frame.changes)
        # With semantics that were asked for, only a first keyframe is loaded, whose evaluator has
        # seen nothing yet.
        known = (frame.evaluator, frame.problem) if self._is_own else (None, None)
        self.scorer = self._make_scorer(*known)
        self.scorer.facts.learn(frame.facts)

    def pass_quietly(self, tick: int) -> None:
        """Pass the ticks up to ``tick`` in which nothing happened.

        The evaluator may still be settling. Raises RecoveryError for a tick that is none.
        """
        if not -1 <= tick <= MOST_TICKS:
            raise RecoveryError(f"expected ticks from 0 to {MOST_TICKS}, got {tick}")
        state, scorer = self.state, self.scorer
        while state.tick < tick and state.phase == "running" and not scorer.is_settled():
            state.tick += 1
            scorer.score(state, {}, _go_on)
        state.tick = max(state.tick, tick)

    def take(self, line: TickLine) -> None:
        """Fold a tick."""
        self.pass_quietly(line.tick - 1)
        state = self.state
        state.tick = line.tick
        for change in line.changes:
            state.change(change)
        for heard in line.intents:
            state.heed(heard)
        self.scorer.facts.learn(line.facts)

        def decide(_: tuple[PropositionChange, ...]) -> None:
            for event in line.events:
                state.happen(event)

        self.scorer.score(state, changed_in(line.changes, line.by, state.world), decide)


def _go_on(_: tuple[PropositionChange, ...]) -> None:
    """Decide nothing: the phase stays."""


def _lines(data: bytes) -> Iterable[bytes]:
    return (line.data for line in lines_of(data))


def _start_of_last(data: bytes, start: bytes) -> int:
    """Return where the last line that starts so begins; -1 when there is none."""
    found = data.rfind(b"\n" + start)
    if found >= 0:
        return found + 1
    return 0 if data.startswith(start) else -1


def _decode_line(data: bytes, at: int) -> Line:
    number = data.count(b"\n", 0, at) + 1
    try:
        return decode_numbered("log", NumberedLine(number, data[at : data.index(b"\n", at)]))
    except UnreadableError as error:
        why = f"line {number} of the log is of another format: {error.reason}"
        raise RecoveryError(why) from error


def _header_at(data: bytes, at: int, where: str) -> Header:
    if at < 0:
        raise RecoveryError(f"{where}: no whole header is left of this log")
    header = _decode_line(data, at)
    if not isinstance(header, Header):
        raise RecoveryError(f"{where}: what looks like a header is another line")
    if not 1 <= header.format <= LOG_FORMAT:
        raise RecoveryError(
            f"{where}: expected a recording of format {LOG_FORMAT}, got format {header.format}: "
            "read it with the release of Cohabit that made it, or a newer one"
        )
    return header


def fold_last(data: bytes, tick: int, where: str = "log") -> tuple[Fold, int]:
    """Fold the last episode of verified data from its last keyframe on, up to ``tick``.

    Returns the fold and the keyframe's tick. Raises RecoveryError when there is none.
    """
    header_at = _start_of_last(data, HEADER_START)
    header = _header_at(data, header_at, where)
    keyframe_at = _start_of_last(data, KEYFRAME_START)
    if keyframe_at < header_at:
        raise RecoveryError(f"{where}: no whole keyframe is left of this log")
    frame = _decode_line(data, keyframe_at)
    if not isinstance(frame, Keyframe):
        raise RecoveryError(f"{where}: what looks like a keyframe is another line")
    fold = Fold(header)
    fold.load(frame, _chat(data[:keyframe_at]))
    for before, after in pairwise(header for header, _ in episodes_in(data)):
        if after.episode_spec.is_same_task(before.episode_spec):
            fold.state.chat_shown_after = after.tick
    fold.state.lost_ticks = _lost_ticks(data[header_at:keyframe_at])
    for raw in _lines(data[data.index(b"\n", keyframe_at) + 1 :]):
        line = decode(raw)
        if isinstance(line, TickLine):
            fold.take(line)
        elif isinstance(line, Resumed):
            fold.state.lose(line.lost_ticks)
    fold.pass_quietly(tick)
    return fold, frame.tick


def _chat(data: bytes) -> list[ChatEntry]:
    """Return all that was said in some lines.

    A quote within a text is escaped, so the search is exact.
    """
    chat = []
    for raw in _lines_with(data, SAID_START):
        line = decode(raw)
        if isinstance(line, TickLine):
            chat += [
                ChatEntry(line.tick, e.seat, e.text) for e in line.events if isinstance(e, Said)
            ]
    return chat


def recorded_play(verified: Verified) -> PlayCount:
    """Return how far a log tells what was played.

    A quote within a text is escaped, so that nothing but an event looks like one.
    """
    events = sum(
        line.count(start)
        for start in (DID_START, SAID_START)
        for line in _lines_with(verified.data, start)
        if line.startswith(TICK_START)
    )
    return PlayCount(verified.tick, events)


def _lines_with(data: bytes, part: bytes) -> Iterator[bytes]:
    """Return the lines that contain some bytes, which few do: most need not be looked at."""
    at = data.find(part)
    while at >= 0:
        end = data.find(b"\n", at)
        if end < 0:
            end = len(data)
        yield data[data.rfind(b"\n", 0, at) + 1 : end]
        at = data.find(part, end)


def seen_play(verified: Verified) -> PlayCount:
    """Return how far a log tells what was played, with what no checksum vouches for any more.

    Where a log was cut off or changed while it was written, what follows cannot be played again,
    yet says how much it was.
    """
    recorded = recorded_play(verified)
    lines = verified.rest.split(b"\n")[:-1]
    numbers = (int(found[1]) for line in lines if (found := _TICK_NUMBER.match(line)))
    tick = max((number for number in numbers if number <= MOST_TICKS), default=0)
    events = sum(
        line.count(DID_START) + line.count(SAID_START)
        for line in lines
        if line.startswith(TICK_START)
    )
    return recorded.at_least(PlayCount(tick, recorded.events + events))


def _lost_ticks(data: bytes) -> int:
    """Return the ticks that were lost of an episode, by its lines up to some keyframe."""
    end = data.find(b"\n" + END_START)
    lines = (decode(found[1]) for found in _RESUMED_LINE.finditer(data[: end + 1] or data))
    return sum(line.lost_ticks for line in lines if isinstance(line, Resumed))


def resume(
    log_path: str | Path,
    simulator_factory: Callable[[SessionSpec, EpisodeSpec], Simulator],
    now: float,
    *,
    code_version: str = "",
    shown: PlayCount = NO_PLAY,
    sealer: LineSealer | None = None,
) -> tuple[SessionCore, LogWriter, RecoveryReport]:
    """Go on with a session from its log, a torn end cut off.

    What was played after that, as the mark beside the log says, or shown to people
    (``shown``), is noted as lost.

    Raises RecoveryError when the log holds no whole episode start, or when the scene or the rules
    are no longer those it was played with; LockedError when another process writes it; OSError
    when it cannot be read or written.
    """
    path = Path(log_path)
    if not path.exists():
        raise RecoveryError(f"{path}: there is no such log")
    file = open_log(path)
    try:
        file.seek(0)
        verified = verify(file.readall())
        core, keyframe_tick = _restored(verified, simulator_factory, str(path))
        file.truncate(len(verified.data))
    except BaseException:
        file.close()
        raise
    played = read_mark(path)
    log = LogWriter(
        file,
        path=path,
        crc=verified.crc,
        code_version=code_version,
        beats=True,
        sealer=sealer,
    )
    recorded = recorded_play(verified)
    missing = played.lost_after(recorded, shown.at_least(seen_play(verified)))
    core.state.lose(missing.ticks)
    log.resumed(core, now, verified.lost_bytes, recorded.events, missing)
    report = RecoveryReport(
        core.tick,
        keyframe_tick,
        verified.lost_bytes,
        missing.after(played.lost_before),
        core.spec.session_id,
        core.episode_spec.episode_id,
    )
    return core, log, report


def _restored(
    verified: Verified,
    simulator_factory: Callable[[SessionSpec, EpisodeSpec], Simulator],
    where: str,
) -> tuple[SessionCore, int]:
    """Return a core that goes on where the data ends, and the tick of its keyframe."""
    fold, keyframe_tick = fold_last(verified.data, verified.tick, where)
    header = fold.header
    spec = header.played_spec
    try:
        profile = profile_named(spec.profile)
    except ValueError as error:
        raise RecoveryError(f"{where}: played by rules that are not here: {error}") from error
    _same(header.profile_digest, profile.digest, "the rule profile")
    simulator = simulator_factory(spec, header.episode_spec)
    core = SessionCore.restore(
        spec, header.episode_spec, header.task, simulator, fold.state, fold.scorer
    )
    _same(header.scene_digest, simulator.scene.digest, "the scene")
    _same(header.catalogue_digest, simulator.catalogue.digest, "the catalogue")
    return core, keyframe_tick


def _same(logged: str, now: str, what: str) -> None:
    if logged != now:
        raise RecoveryError(f"{what} is not the one the session was played with")


def episodes_in(data: bytes) -> list[tuple[Header, bytes]]:
    """Return every episode of verified data: its header and the lines after it."""
    starts = [0] if data.startswith(HEADER_START) else []
    starts += [m.start() + 1 for m in re.finditer(b"\n" + re.escape(HEADER_START), data)]
    found = []
    for start, end in pairwise([*starts, len(data)]):
        header = _header_at(data, start, "log")
        found.append((header, data[data.index(b"\n", start) + 1 : end]))
    return found


def fold_all(header: Header, lines: bytes, semantics: str | None = None) -> Fold:
    """Fold a whole episode from its first line on; later keyframes are not needed."""
    fold = Fold(header, semantics)
    loaded = False
    for raw in _lines(lines):
        if raw.startswith(KEYFRAME_START):
            if loaded:
                continue
            frame = decode(raw)
            if not isinstance(frame, Keyframe):
                raise RecoveryError("what looks like a keyframe is another line")
            fold.load(frame)
            loaded = True
            continue
        line = decode(raw)
        if isinstance(line, TickLine):
            fold.take(line)
        elif isinstance(line, Checksum):
            fold.pass_quietly(line.tick)
        elif isinstance(line, Resumed):
            fold.state.lose(line.lost_ticks)
    return fold


def rescore(data: bytes, episode_id: str | None = None, semantics: str | None = None) -> Verdict:
    """Return the verdict from the logged facts alone, of the last episode or of a given one.

    It is the same as the online one, field for field; ``semantics`` asks for another evaluator's.
    Raises RecoveryError when the episode is not in the log.
    """
    for header, lines in reversed(episodes_in(verify(data).data)):
        if episode_id is None or header.episode_spec.episode_id == episode_id:
            return fold_all(header, lines, semantics).scorer.verdict()
    raise RecoveryError(f"the log has no episode {episode_id or 'at all'}")

"""The writer of a session's log, from which the session can be made again.

Synchronous and without a clock: its seconds are those of the session, counted in ticks. ``now`` is
wall time, which is noted, and which can do no more than have something written early. Lines are
collected and written with a checksum once a second, and at once when somebody acted, so that the
death of the process costs at most a second of walking.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from io import FileIO
from pathlib import Path
from statistics import fmean
from typing import BinaryIO

import msgspec
from msgspec import UNSET, UnsetType

from episodes.evaluation import EVALUATOR_VERSION
from server.recording.durable_file import DurableFile
from server.recording.line_sealing import LineSealer
from server.recording.log_checksums import signed
from server.recording.log_records import (
    End,
    Header,
    Keyframe,
    LoggedEvent,
    ModelCalled,
    Paced,
    PageMeasured,
    Resumed,
    SkillEnded,
    TickLine,
    encode,
)
from server.recording.played_mark import NOTHING, Played, PlayedMark
from server.recording.prompt_deduplication import PromptDeduplicator
from server.sessions.core import SessionCore, Tick
from server.sessions.events import PhaseChanged, Refused, Selection
from server.sessions.intents import Drive, Look
from server.sessions.play_count import NO_PLAY, PlayCount, seen_events
from server.sessions.policy_records import CallRecord, SkillRecord
from server.sessions.spec import TICK_RATE
from server.sessions.state import Heard
from server.wire.messages import PageStats

FLUSH_S = 1.0
KEYFRAME_TICKS = 10 * TICK_RATE


class LogWriter:
    """An appender to a binary file, which holds all episodes of a session.

    A file at a ``path`` is written again when somebody removes it, and has a mark beside it that
    says how far it was played while nothing could be written. ``crc`` continues the checksum of
    what is in the file already. A log that ``beats`` has a checksum each second even if nothing
    happens, so that no session goes back further than that. A ``sealer`` seals what people say;
    without one it is written as it is.
    """

    def __init__(
        self,
        file: BinaryIO | FileIO,
        *,
        path: Path | None = None,
        crc: int = 0,
        code_version: str = "",
        beats: bool = False,
        digests: Mapping[str, str] | UnsetType = UNSET,
        sealer: LineSealer | None = None,
    ) -> None:
        self._sealer = sealer
        self.file = DurableFile(file, path)
        self._path = path
        self._mark = None if path is None else PlayedMark(path)
        self._marked = 0
        """Number of times that the log had been restored when the mark was made."""
        self._lost = NO_PLAY
        """Play that was lost before, for as long as the log could not be told of it."""
        self._events = 0
        """Acts and lines of chat in the log, and since."""
        self._event_ticks: deque[int] = deque()
        """Ticks of those that may not be in the file yet."""
        self._resumed_tick = 0
        self._beats = beats
        self._crc = crc
        self._code_version = code_version
        self._digests = digests
        self._lines: list[bytes] = []
        self._flushed_tick = self._summed_tick = 0
        self._flushed_at: float | None = None
        self._keyframe_tick = 0
        self._tick = 0
        self._aims: dict[tuple[str, type], Drive | Look] = {}
        self._prompts = PromptDeduplicator()

    def open_episode(self, core: SessionCore, now: float) -> None:
        """Write what an episode starts from: after the core was made, and after its `begin`."""
        self._tick = core.tick
        self._aims.clear()
        self._prompts.begin()
        self._lines.append(encode(header_of(core, now, self._code_version, self._digests)))
        self._keyframe(core)
        self.flush(now)

    def resumed(
        self,
        core: SessionCore,
        now: float,
        lost_bytes: int,
        events: int = 0,
        lost: PlayCount = NO_PLAY,
    ) -> None:
        """Note that the session goes on after a crash, and what was played and then lost.

        ``events`` are the acts and lines of chat that are in the file.
        """
        self._tick = self._resumed_tick = core.tick
        self._events, self._lost = events, lost
        for seat, seated in core.seats.items():
            self._aims[seat, Drive] = seated.drive
            if seated.look is not None:
                self._aims[seat, Look] = seated.look
        self._lines.append(encode(Resumed(core.tick, now, lost_bytes, *lost)))
        self._keyframe(core)
        self.flush(now)

    def write(self, core: SessionCore, tick: Tick, now: float) -> None:
        """Append a tick that the core has just made."""
        self._tick = tick.tick
        events: tuple[LoggedEvent, ...] = ()
        if tick.events:
            events = tuple(e for e in tick.events if not isinstance(e, Selection | Refused))
        heard = tuple(h for h in tick.intents if self._is_news(h)) if tick.intents else ()
        acted = bool(events) or any(not isinstance(h.intent, Drive | Look) for h in heard)
        sealed, listened = events, heard
        if self._sealer is not None and (events or heard):
            programs = {seat: seated.policy for seat, seated in core.seats.items()}
            sealed = self._sealer.events(events, programs)
            listened = self._sealer.heard(heard, programs)
        if tick.changes or heard or events or tick.facts or tick.propositions:
            self._lines.append(
                encode(
                    TickLine(
                        tick.tick,
                        tick.changes,
                        sealed,
                        listened,
                        tick.facts,
                        tick.propositions,
                        dict(tick.by) if tick.by else {},
                        now if acted or tick.propositions else None,
                    )
                )
            )
        if events:
            seen = seen_events(events)
            self._events += seen
            self._event_ticks.extend([tick.tick] * seen)
            self._follow(core)
            if any(isinstance(e, PhaseChanged) and e.phase == "ended" for e in events):
                self._lines.append(encode(End(tick.tick, now, core.result())))
        if tick.tick - self._keyframe_tick >= KEYFRAME_TICKS:
            self._keyframe(core)
        if (
            acted
            or self._flushed_at is None
            or now - self._flushed_at >= FLUSH_S
            # Wall time may stand still or go back; ticks do not.
            or tick.tick - self._flushed_tick > FLUSH_S * TICK_RATE
        ):
            self.flush(now)

    def model_calls(self, core: SessionCore, calls: Iterable[CallRecord], now: float) -> None:
        """Append what policies asked of models."""
        for call in map(self._prompts.shorten, calls):
            kept = call if self._sealer is None else self._sealer.call(call)
            self._lines.append(encode(ModelCalled(core.tick, now, kept)))

    def skills(self, core: SessionCore, skills: Iterable[SkillRecord], now: float) -> None:
        """Append what skill calls of policies came to."""
        for skill in skills:
            kept = skill if self._sealer is None else self._sealer.skill(skill)
            self._lines.append(encode(SkillEnded(core.tick, now, kept)))

    def page(self, core: SessionCore, seat: str, stats: PageStats, now: float) -> None:
        """Append figures of a seat's page."""
        self._lines.append(encode(PageMeasured(core.tick, now, seat, stats)))

    def pace(self, core: SessionCore, late_s: Sequence[float], now: float) -> None:
        """Append how late ticks began."""
        mean, most = round(1000 * fmean(late_s), 3), round(1000 * max(late_s), 3)
        self._lines.append(encode(Paced(core.tick, now, mean, most)))

    def _is_news(self, heard: Heard) -> bool:
        """Tell whether an intent is worth a line: clients repeat what keys they hold."""
        intent = heard.intent
        if not isinstance(intent, Drive | Look):
            return True
        key = (heard.seat, type(intent))
        if self._aims.get(key) == intent:
            return False
        self._aims[key] = intent
        return True

    def _follow(self, core: SessionCore) -> None:
        """Note which seats stand still since an event stopped them.

        Walking on is news then, though it was the seat's last drive.
        """
        for seat, seated in core.seats.items():
            if (seat, Drive) in self._aims:
                self._aims[seat, Drive] = seated.drive

    def _keyframe(self, core: SessionCore) -> None:
        self._keyframe_tick = core.tick
        self._lines.append(encode(keyframe_of(core)))

    def flush(self, now: float) -> None:
        """Write what was collected, with its checksum. Raises UnrecordedError (`durable_file`)."""
        try:
            self._write_collected(now)
        finally:
            self._say_how_far()

    def _write_collected(self, now: float) -> None:
        self._flushed_tick, self._flushed_at = self._tick, now
        if not self._lines and not (self._beats and self._tick > self._summed_tick):
            self.file.retry(self._session_s)
            return
        data = b"".join(self._lines)
        self._lines.clear()
        crc = zlib.crc32(data, self._crc)
        line = encode(signed(self._tick, now, crc))
        self._summed_tick = self._tick
        self._crc = zlib.crc32(line, crc)
        self.file.append(data + line, self._session_s)

    def close(self, now: float) -> None:
        """Flush and close the file. Raises UnrecordedError if something is not in it."""
        try:
            try:
                self.flush(now)
            finally:
                self.file.close(self._session_s)
        finally:
            self._close_mark()

    def forget_mark(self) -> None:
        """Remove the mark of a log that is given up before anybody played."""
        if self._mark is not None:
            self._mark.remove()

    def _say_how_far(self) -> None:
        """Keep the mark right: it says something only while the log lacks something."""
        if self._path is not None and self.file.restored > self._marked:
            # Whoever removed the log may have removed its mark, too.
            self._marked = self.file.restored
            if self._mark is not None:
                self._mark.close()
            self._mark = PlayedMark(self._path)
        if not self.file.problem:
            self._lost = NO_PLAY
            self._event_ticks.clear()
        if self._mark is not None:
            played = Played(self._tick, self._lost.ticks, self._events, self._lost.events)
            self._mark.say(played if self.file.problem else NOTHING)

    def _close_mark(self) -> None:
        self._say_how_far()
        if self._mark is None:
            return
        if self.file.problem:
            self._mark.close()
        else:
            self._mark.remove()

    def lag_s(self) -> float:
        """Return the seconds of play since the oldest block that is not in the file."""
        return self.file.lag_s(self._session_s)

    @property
    def unrecorded(self) -> PlayCount:
        """Play that is not in the file; none while it can be written."""
        if not self.file.problem:
            return NO_PLAY
        written_tick = max(self._resumed_tick, round(self.file.written_s * TICK_RATE))
        while self._event_ticks and self._event_ticks[0] <= written_tick:
            self._event_ticks.popleft()
        return PlayCount(self._tick - written_tick, len(self._event_ticks))

    @property
    def played(self) -> PlayCount:
        """The play of the session: what the file holds, and what was written since."""
        return PlayCount(self._tick, self._events)

    @property
    def _session_s(self) -> float:
        return self._tick / TICK_RATE


def header_of(
    core: SessionCore,
    now: float,
    code_version: str,
    digests: Mapping[str, str] | UnsetType = UNSET,
) -> Header:
    """Return the header of the episode that a core has loaded."""
    simulator, profile = core.simulator, core.rules
    return Header(
        tick=core.tick,
        wall=now,
        # The version stands beside the name, whether the session asked for one or not.
        spec=msgspec.structs.replace(core.spec, profile=profile.name),
        episode_spec=core.episode_spec,
        task=core.task,
        scene_digest=simulator.scene.digest,
        catalogue_digest=simulator.catalogue.digest,
        simulator=simulator.name,
        simulator_version=simulator.version,
        profile=profile.name,
        profile_version=profile.version,
        profile_digest=profile.digest,
        evaluator_version=EVALUATOR_VERSION,
        code_version=code_version,
        classes=core.scorer.classes,
        questions=core.scorer.questions,
        surroundings=core.surroundings(),
        digests=UNSET if digests is UNSET else dict(digests),
    )


def keyframe_of(core: SessionCore) -> Keyframe:
    """Return the whole state of a core, chat apart."""
    state, scorer = core.state, core.scorer
    return Keyframe(
        state.tick,
        state.phase,
        state.end_reason,
        state.started_tick,
        state.ended_tick,
        state.seats,
        tuple(state.world.everything()),
        tuple(scorer.facts.everything()),
        scorer.evaluator.state(),
        scorer.evaluator.reason,
        (state.limit, state.full_limit),
        state.paused_tick,
        state.clock,
    )

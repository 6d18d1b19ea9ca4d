"""Traces: from a recording to the pure record that errors and metrics are computed from."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from episodes.evaluation import explained_in
from episodes.rules import BODIES_BLOCK, profile_named
from episodes.trace import (
    ActorKind,
    Attempt,
    Happening,
    Percent,
    SeatRecord,
    Trace,
)
from episodes.world import AgentMoved, Change, ObjectMoved, PartMoved
from server.recording.log_records import (
    Checksum,
    Header,
    Keyframe,
    Line,
    ModelCalled,
    SkillEnded,
    TickLine,
)
from server.recording.pushes import Pushes
from server.recording.recorded_houses import RecordedHouses, known_surroundings
from server.recording.recordings import Recording
from server.recording.replay import Fold
from server.sessions.events import Did
from server.sessions.intents import Act, Place
from server.sessions.spec import TICK_RATE, SeatSpec


def trace_of(
    recording: Recording,
    semantics: str | None = None,
    houses: RecordedHouses | None = None,
    actors: Mapping[str, ActorKind] | None = None,
    also: Iterable[Callable[[Line], None]] = (),
) -> Trace:
    """Return the record of an episode, scored again on the way.

    ``actors`` says what drove each seat; without it, a seat that the log gives to a policy is
    ``llm`` if that asked a model, else ``program``. Ticks count from the start of the episode; what
    was tried before it is left out. ``also`` are told each line, so that who wants more of a log
    than its trace decodes it no second time. Raises RecordingError for lines that cannot be folded.
    """
    with recording.folding():
        reader, others = _Reader(recording.header, semantics, actors or {}), tuple(also)
        for line in recording.decoded():
            for take in others:
                take(line)
            match line:
                case Keyframe():
                    reader.keyframe(line)
                case TickLine():
                    reader.take(line)
                case ModelCalled(_, _, call):
                    reader.cycles[call.seat] += 1
                case SkillEnded(_, _, skill):
                    reader.calls[skill.seat] += 1
                case Checksum(tick):
                    reader.pass_quietly(tick)
        return reader.trace(houses)


class _Reader:
    def __init__(
        self, header: Header, semantics: str | None, actors: Mapping[str, ActorKind]
    ) -> None:
        self.header = header
        self.actors = actors
        self.fold = Fold(header, semantics)
        self.loaded = False
        self.start: tuple[Change, ...] = ()
        self.attempts: list[Attempt] = []
        self.happenings: list[Happening] = []
        self.percents: list[Percent] = []
        self.walked: dict[str, float] = {}
        self.pushes = Pushes()
        self.counted = 0
        self.cycles: Counter[str] = Counter()
        """The model calls, by seat."""
        self.calls: Counter[str] = Counter()
        """The skill calls that ended, by seat."""

    def keyframe(self, frame: Keyframe) -> None:
        """Load the first keyframe; later ones tell nothing that is not known from the lines."""
        if self.loaded:
            return
        self.loaded = True
        self.fold.load(frame)
        self.start = self._symbols()

    def _symbols(self) -> tuple[Change, ...]:
        changes = self.fold.state.world.everything()
        return tuple(c for c in changes if not isinstance(c, AgentMoved | ObjectMoved))

    def pass_quietly(self, tick: int) -> None:
        self.fold.pass_quietly(tick)
        self._percent()

    def take(self, line: TickLine) -> None:
        state = self.fold.state
        before = state.started_tick
        held = dict(state.world.held)
        agents = dict(state.world.agents)
        self.fold.take(line)
        self._percent()
        if before is None and state.started_tick is not None:
            self.start = self._symbols()
        if before is None:
            return
        tick = line.tick - before
        for change in line.changes:
            if isinstance(change, AgentMoved):
                at, to = agents[change.seat].position, change.pose.position
                far = math.hypot(to[0] - at[0], to[2] - at[2])
                self.walked[change.seat] = self.walked.get(change.seat, 0.0) + far
            elif not isinstance(change, ObjectMoved):
                about = change.furniture if isinstance(change, PartMoved) else change.handle
                self.happenings.append(Happening(tick, change, line.by.get(about)))
        for event in line.events:
            self.pushes.take(tick, event)
        done = {(e.seat, e.intent_id): e for e in line.events if isinstance(e, Did)}
        for heard in line.intents:
            intent = heard.intent
            if not isinstance(intent, Act | Place):
                continue
            did = done.get((heard.seat, intent.intent_id))
            verb = intent.verb if isinstance(intent, Act) else "place"
            target = intent.target if isinstance(intent, Act) else held.get(heard.seat)
            part = intent.part if isinstance(intent, Act) else None
            where = None
            if did is not None:
                target, part, where = did.target, did.part, did.where
            refusal = heard.refusal
            self.attempts.append(
                Attempt(
                    tick,
                    heard.seat,
                    verb,
                    target,
                    refusal is None,
                    "" if refusal is None else refusal.rule,
                    "" if refusal is None else refusal.reason,
                    part,
                    where,
                )
            )

    def _percent(self) -> None:
        """Note percent complete where a proposition changed since the last look."""
        evaluator = self.fold.scorer.evaluator
        inner = evaluator.evaluator
        if inner is None or len(inner.changes) == self.counted:
            return
        self.counted = len(inner.changes)
        percent = evaluator.percent_complete
        if percent is not None:
            self.percents.append(Percent(inner.changes[-1].tick, percent))

    def _actor(self, seat: SeatSpec) -> ActorKind:
        known = self.actors.get(seat.seat.seat_id)
        if known is not None:
            return known
        if not seat.policy:
            return "unknown"
        return "llm" if self.cycles[seat.seat.seat_id] else "program"

    def trace(self, houses: RecordedHouses | None) -> Trace:
        header, state = self.header, self.fold.state
        scorer = self.fold.scorer
        verdict = scorer.verdict()
        surroundings = known_surroundings(header, houses)
        if surroundings is not None:
            verdict = explained_in(verdict, scorer.task, state.world, surroundings)
        started = state.started_tick
        last = state.tick if state.ended_tick is None else state.ended_tick
        inner = scorer.evaluator.evaluator
        ticks = 0 if started is None else last - started
        blocked: dict[str, float] | None = None
        if profile_named(header.played_spec.profile).allows(BODIES_BLOCK):
            blocked = {
                seat: sum(push.end - push.start for push in found) / TICK_RATE
                for seat, found in self.pushes.until(ticks).items()
            }
        return Trace(
            episode_id=header.episode_spec.episode_id,
            task_id=header.task.task_id,
            session_id=header.spec.session_id,
            try_index=header.episode_spec.try_index,
            scene_id=header.task.scene_id,
            profile=header.profile,
            simulator=header.simulator,
            end_reason=state.end_reason or "",
            ticks=ticks,
            seats=tuple(
                SeatRecord(
                    s.seat.seat_id,
                    s.seat.kind,
                    s.occupied,
                    self._actor(s),
                    self.cycles.get(s.seat.seat_id),
                    self.walked.get(s.seat.seat_id, 0.0),
                    None if blocked is None else blocked.get(s.seat.seat_id, 0.0),
                    self.calls.get(s.seat.seat_id),
                )
                for s in header.spec.seats
            ),
            start=self.start,
            happenings=tuple(self.happenings),
            attempts=tuple(self.attempts),
            propositions=() if inner is None else tuple(inner.changes),
            percents=tuple(self.percents),
            verdict=verdict,
        )

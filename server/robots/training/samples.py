"""The training set of a finetuned planner, by PARTNR's rules (A.9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from episodes.bodies import SeatKind
from episodes.worldgraph import describe
from server.recording.log_records import SkillEnded, TickLine
from server.recording.model_calls import model_calls_of
from server.recording.recordings import Recording
from server.recording.traces import trace_of
from server.robots.baselines.ghost import started_in
from server.robots.grammar.answers import END_ACT
from server.robots.grammar.calls import DONE
from server.robots.playing.knowledge import LOOK_TICKS, Knowledge
from server.robots.playing.seat_options import SeatOptions
from server.robots.policies.finetuned import prompts
from server.robots.policies.finetuned.policy import previous
from server.robots.policy import PastCall
from server.robots.policy_spec import RobotError
from server.robots.registry.registry import configured
from server.robots.training.rerun import MakeSimulator, rerun
from server.sessions.core import SessionCore
from server.sessions.events import FinishChanged
from server.sessions.policy_records import CallRecord, SkillRecord
from server.skills import Call, Unparsed, learn, read


class Rules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rules for the episodes and for those of their calls that become samples."""

    percent: float = 1.0
    """The least share of its task that an episode has to reach."""
    stops_early: bool = True
    """Whether what follows the first moment of success is one `Done[]`."""
    kind: SeatKind = "robot"
    policy: str = ""
    """The policy whose calls count (PARTNR: react); empty: any."""
    states: bool = True
    mark: str = prompts.MARK


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt and what should come after it."""

    prompt: str
    completion: str
    episode_id: str
    task_id: str
    seat: str
    tick: int
    """The session's tick at which it was decided."""


class _Decided(NamedTuple):
    asked: int
    """The tick of what was known."""
    skill: SkillRecord | None
    """The call that was decided; None: the seat should have stopped here."""


def samples_of(
    recording: Recording, simulator: MakeSimulator, rules: Rules | None = None
) -> list[Sample]:
    """Make the samples of one episode.

    There are none where it failed or no policy played a seat of that kind. Raises RecordingError
    where the episode cannot be played again.
    """
    rules = rules or Rules()
    result = recording.result
    if result is None or (result.verdict.percent_complete or 0.0) < rules.percent:
        return []
    found: list[Sample] = []
    for seat in recording.header.spec.seats:
        if seat.seat.kind != rules.kind or not is_played_by(seat.policy, rules.policy):
            continue
        seat_id = seat.seat.seat_id
        decided = _decided(recording, seat_id, rules)
        if decided:
            seating = _seating(seat.policy, rules.kind)
            found += _Teller(recording, seat_id, seating, rules).samples(decided, simulator)
    return found


def _seating(policy: str, kind: SeatKind) -> SeatOptions:
    try:
        return configured(policy).setup.seating_of(kind)
    except RobotError:
        return SeatOptions()


def is_played_by(name: str, policy: str) -> bool:
    """Tell whether the full policy name in a seat is one of a policy (empty: of any)."""
    return bool(name) and policy in ("", name, name.partition(":")[0])


def skills_in(recording: Recording, seat: str) -> list[SkillRecord]:
    lines = recording.decoded()
    return [x.skill for x in lines if isinstance(x, SkillEnded) and x.skill.seat == seat]


def calls_in(recording: Recording, seat: str, purpose: str = "act") -> list[CallRecord]:
    """Return the model calls for one seat and purpose."""
    return model_calls_of(recording, seat, purpose)


def _decided(recording: Recording, seat: str, rules: Rules) -> list[_Decided]:
    """List the decisions that become samples, in order."""
    # What was asked early was told how things would be; how they were then is what is learned.
    asked = {c.applied_tick: c.asked_tick for c in calls_in(recording, seat) if not c.prefetched}
    reached = _reached(recording)
    stopped = _finished(recording, seat)
    found: list[_Decided] = []
    last = 0
    for skill in skills_in(recording, seat):
        when = asked.get(skill.began, skill.began)
        if rules.stops_early and reached is not None and skill.began >= reached:
            return [*found, _Decided(max(when, reached), None)] if found else []
        last = skill.ended
        if "success" in skill.response.lower():
            found.append(_Decided(when, skill))
    if not found:
        return []
    # It stopped by itself, or nothing is left to do: else nobody has said that it is done.
    ends = [] if stopped is None else [asked.get(stopped, stopped)]
    if reached is not None and (rules.stops_early or not ends):
        ends.append(max(reached, min(last + 1, _end(recording))))
    return [*found, _Decided(min(ends), None)] if ends else found


def _reached(recording: Recording) -> int | None:
    """Return the session's tick at which the task was done for the first time."""
    started = started_in(recording)
    percents = trace_of(recording).percents
    return next((started + p.tick for p in percents if p.value >= 1.0), None)


def _finished(recording: Recording, seat: str) -> int | None:
    """Return the session's tick at which a seat decided that it is done."""
    found = None
    for line in recording.decoded():
        if isinstance(line, TickLine):
            for event in line.events:
                if isinstance(event, FinishChanged) and event.seat == seat:
                    # An intent counts in the step after the tick at which it was decided.
                    found = line.tick - 1 if event.finished else None
    return found


def _end(recording: Recording) -> int:
    """Return the session's last tick of the episode."""
    return max(x.tick for x in recording.decoded() if isinstance(x, TickLine))


class _Teller:
    """A reader of a rerun that writes down what one seat knew at each decision."""

    def __init__(self, recording: Recording, seat: str, seating: SeatOptions, rules: Rules) -> None:
        self.recording = recording
        self.seat = seat
        self.seating = seating
        self.rules = rules
        self.skills = skills_in(recording, seat)

    def samples(self, decided: list[_Decided], simulator: MakeSimulator) -> list[Sample]:
        wanted = {d.asked: d for d in decided}
        found: list[Sample] = []
        knows: Knowledge | None = None
        for core, tick in rerun(self.recording, simulator):
            if knows is None:
                knows = self._knowledge(core)
            else:
                knows.see(tick)
                self._keep_up(knows, core)
            if core.tick in wanted:
                found.append(self._sample(wanted[core.tick], knows, core))
        return found

    def _knowledge(self, core: SessionCore) -> Knowledge:
        seating = self.seating
        return Knowledge(
            core,
            self.seat,
            observability=seating.observability,
            shares_views=seating.shares_views,
            partner=seating.partner,
        )

    def _keep_up(self, knows: Knowledge, core: SessionCore) -> None:
        """Look and learn at the moments at which the player did."""
        ended = [s for s in self.skills if s.ended == core.tick]
        if ended or core.tick % LOOK_TICKS == 0:
            knows.look()
        for skill in ended:
            past = self._past(skill)
            if past.succeeded and isinstance(past.call, Call):
                learn(knows.graph, self.seat, past.call)

    def _past(self, skill: SkillRecord) -> PastCall:
        """Read a call back from the log, with the text that is there."""
        call = read(skill.call, self.rules.kind)
        if str(call) != skill.call:
            # It never ran, though it can be read.
            call = Unparsed(skill.call, "")
        return PastCall(call, skill.response, skill.began, skill.ended)

    def _sample(self, decided: _Decided, knows: Knowledge, core: SessionCore) -> Sample:
        history = [self._past(skill) for skill in self.skills if skill.ended <= decided.asked]
        world = describe(knows.graph, self.seat, states=self.rules.states)
        before = previous(history, knows.acts)
        call = DONE if decided.skill is None else decided.skill.call
        return Sample(
            prompt=prompts.prompt(core.task_text, world, before, self.rules.mark),
            completion=f"{call}{END_ACT}",
            episode_id=self.recording.episode_id,
            task_id=core.task.task_id,
            seat=self.seat,
            tick=core.tick,
        )


def lines_of(samples: list[Sample]) -> Iterator[bytes]:
    """Encode the samples as JSON lines."""
    return (msgspec.json.encode(sample) + b"\n" for sample in samples)

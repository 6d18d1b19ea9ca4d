"""Error log of an episode: every action of every seat, accepted or refused, in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec

from episodes.errors import texts
from episodes.errors.classify import (
    OK,
    Finding,
    Label,
    additional,
    unmet,
    unobserved,
)
from episodes.errors.history import History
from episodes.errors.literals import Literal
from episodes.errors.records import CLASSES, ActionName, ErrorRecord, LookbackMode
from episodes.errors.rules import RULES, RuleMeaning
from episodes.errors.schemas import SCHEMAS, SKILL_OF, Action, Domain
from episodes.scene import split_receptacle_id
from episodes.trace import Attempt, Happening, SeatRecord, Trace

_UNKNOWN_RULE = RuleMeaning("execution")
"""Meaning of a rule that the table does not know: a low-level failure, never a plan's."""
_NO_DOMAIN = Domain({})


class ErrorLog(msgspec.Struct, frozen=True):
    """All records of an episode, ``OK`` ones included."""

    records: tuple[ErrorRecord, ...]

    def counts(self) -> dict[str, dict[str, int]]:
        """Return the number of records of each class, by seat; ``OK`` counts the rest."""
        found: dict[str, Counter[str]] = {}
        for record in self.records:
            found.setdefault(record.agent or "", Counter())[record.error_class] += 1
        return {seat: dict(sorted(count.items())) for seat, count in found.items()}

    def primary(self) -> dict[str, ErrorRecord]:
        """Return the first fatal error of each seat: what the Embodied Agent Interface counts."""
        return {r.agent: r for r in self.records if r.primary and r.agent is not None}


def error_log(
    trace: Trace,
    *,
    within: Mapping[str, int | None] | None = None,
    things: frozenset[str] | None = None,
    label: Label = str,
    mode: LookbackMode = "violated_joint",
) -> ErrorLog:
    """Classify everything that was tried in an episode.

    ``within`` and the handles in ``things`` come from the episode's `Surroundings`; without
    them what lies in closed furniture, and what a scene does not have, is not told apart.
    """
    return ErrorLog(tuple(_Log(trace, within, things, label, mode).records()))


class _Log:
    def __init__(
        self,
        trace: Trace,
        within: Mapping[str, int | None] | None,
        things: frozenset[str] | None,
        label: Label,
        mode: LookbackMode,
    ) -> None:
        self.trace = trace
        self.history = History(trace.start, within)
        self.things = things
        self.label = label
        self.mode = mode
        self.seats: dict[str, SeatRecord] = {s.seat: s for s in trace.seats}
        self.seen: dict[str, set[str]] = {}
        self.failed: set[str] = set()

    def records(self) -> Iterator[ErrorRecord]:
        happened: dict[int, list[Happening]] = {}
        for happening in self.trace.happenings:
            happened.setdefault(happening.tick, []).append(happening)
        sighted = sorted(self.trace.sightings, key=lambda s: s.tick)
        waiting = sorted(happened)
        for attempt in self.trace.attempts:
            while waiting and waiting[0] < attempt.tick:
                tick = waiting.pop(0)
                self._apply(happened[tick])
            while sighted and sighted[0].tick <= attempt.tick:
                sighting = sighted.pop(0)
                self.seen.setdefault(sighting.seat, set()).update(sighting.things)
            record = self._record(attempt)
            if record is not None:
                yield record
            if attempt.accepted:
                here = happened.get(attempt.tick, [])
                mine = [h for h in here if h.by == attempt.seat]
                happened[attempt.tick] = [h for h in here if h.by != attempt.seat]
                near = None if attempt.target is None else (attempt.seat, attempt.target)
                name = str(action_of(attempt, self.label))
                changes = [h.change for h in mine]
                self.history.add(attempt.tick, changes, attempt.seat, name, near)

    def _apply(self, happenings: list[Happening]) -> None:
        for happening in happenings:
            self.history.add(happening.tick, [happening.change], happening.by)

    def _record(self, attempt: Attempt) -> ErrorRecord | None:
        finding = OK if attempt.accepted else self._refused(attempt)
        if finding is None:
            return None
        stage, fatal = CLASSES[finding.error_class]
        primary = fatal and attempt.seat not in self.failed
        if primary:
            self.failed.add(attempt.seat)
        seat = self.seats.get(attempt.seat)
        action = action_of(attempt, str)
        return ErrorRecord(
            episode=self.trace.episode_id,
            t=attempt.tick,
            agent=attempt.seat,
            actor_kind="unknown" if seat is None else seat.actor,
            action=ActionName(action.name, action.args),
            stage=stage,
            error_class=finding.error_class,
            subclass=finding.subclass,
            fatal=fatal,
            primary=primary,
            violated=finding.violated,
            lookback=finding.lookback,
            cause=finding.cause,
            stale_observation=finding.stale_observation,
            parent_action=attempt.parent or None,
            rule=attempt.rule or None,
            text=finding.text,
        )

    def _refused(self, attempt: Attempt) -> Finding | None:
        meaning = RULES.get(attempt.rule, _UNKNOWN_RULE)
        target = attempt.target or ""
        action = action_of(attempt, self.label)
        match meaning.meaning:
            case "outside":
                return None
            case "parsing":
                return Finding("PARSING", text=attempt.reason)
            case "unknown_action":
                return Finding("HALLUCINATION", "action", text=attempt.reason)
            case "arguments":
                return Finding("ARG_NUMBER", text=attempt.reason)
            case "unobserved":
                return unobserved(target, self.label)
            case "unknown_thing":
                if self.things is not None and target in self.things:
                    return unobserved(target, self.label)
                return Finding("HALLUCINATION", "object", text=f"There is no {target}.")
            case "affordance":
                text = texts.affordance(action.name, target, meaning.subclass, self.label)
                return Finding("AFFORDANCE", meaning.subclass, text=text)
            case "execution":
                return Finding("EXECUTION_FAILURE", attempt.rule or None, text=attempt.reason)
            case "redundant":
                literal = self._literal(meaning, attempt)
                return additional(str(action), literal, attempt.seat, self.history, self.label)
        return self._precondition(meaning, attempt)

    def _literal(self, meaning: RuleMeaning, attempt: Attempt) -> Literal | None:
        literal = meaning.literal_for(attempt.seat, attempt.target)
        if literal is None or attempt.part is None or literal.name not in ("is_open", "is_closed"):
            return literal
        return Literal(literal.name, (*literal.args, str(attempt.part)))

    def _precondition(self, meaning: RuleMeaning, attempt: Attempt) -> Finding:
        told = self._literal(meaning, attempt)
        assert told is not None
        seen = self.seen.get(attempt.seat)
        if seen is not None and attempt.target is not None and attempt.target not in seen:
            return unobserved(attempt.target, self.label)
        action = action_of(attempt, str)
        schema = SCHEMAS.get(action.name)
        needs: tuple[Literal, ...] = ()
        if schema is not None and len(action.args) in schema.arities:
            done = schema.redundant(_NO_DOMAIN, attempt.seat, action.args)
            if done and all(literal.holds(self.history.now) for literal in done):
                return additional(str(action), done[0], attempt.seat, self.history, self.label)
            needs = schema.preconditions(_NO_DOMAIN, attempt.seat, action.args)
        # Symbols add what the first refused rule does not tell; they never contradict it.
        more = [n for n in needs if n != told and n.holds(self.history.now) is False]
        return unmet(
            str(action_of(attempt, self.label)),
            [told, *more],
            needs,
            self.history,
            self.mode,
            attempt.observed_tick,
            self.label,
        )


def action_of(attempt: Attempt, label: Label) -> Action:
    """Return an attempt as a skill call."""
    name = SKILL_OF.get(attempt.verb, attempt.verb)
    if attempt.args:
        return Action(name, tuple(label(a) for a in attempt.args))
    if attempt.target is None:
        return Action(name)
    if attempt.verb == "place" and attempt.where is not None:
        where = attempt.where
        entity = split_receptacle_id(where)[0] if "|" in where else where
        return Action(name, (label(attempt.target), "on", label(entity)))
    return Action(name, (label(attempt.target),))

"""Recorded successes as examples for `react-rag`: thoughts, calls and results, in order."""

from __future__ import annotations

from collections.abc import Iterable

from episodes.bodies import SeatKind
from server.recording.recordings import Recording
from server.robots.grammar.answers import STOP, THOUGHT
from server.robots.grammar.calls import DONE
from server.robots.policies.shared.retrieval import SolvedTrace
from server.robots.training.samples import calls_in, is_played_by, skills_in
from server.sessions.policy_records import CallRecord, SkillRecord


def traces_of(
    recordings: Iterable[Recording], kind: SeatKind = "robot", policy: str = ""
) -> list[SolvedTrace]:
    """Return one trace per solved episode in which a policy played a seat of this kind.

    ``policy`` names the one that counts; empty: any. For each instruction it is the shortest trace
    that has thoughts, else the shortest. They are ordered by instruction, so that the same
    recordings give the same library.
    """
    best: dict[str, SolvedTrace] = {}
    for recording in recordings:
        trace = _trace(recording, kind, policy)
        if trace is None:
            continue
        known = best.get(trace.instruction)
        if known is None or _rank(trace) < _rank(known):
            best[trace.instruction] = trace
    return [best[instruction] for instruction in sorted(best)]


def _rank(trace: SolvedTrace) -> tuple[bool, int, str]:
    return (THOUGHT not in trace.text, len(trace.text), trace.name)


def _trace(recording: Recording, kind: SeatKind, policy: str) -> SolvedTrace | None:
    result = recording.result
    if result is None or not result.verdict.success:
        return None
    for seat in recording.header.spec.seats:
        if seat.seat.kind != kind or not is_played_by(seat.policy, policy):
            continue
        skills = skills_in(recording, seat.seat.seat_id)
        if skills:
            calls = calls_in(recording, seat.seat.seat_id)
            text = "\n".join(_lines(skills, calls))
            instruction = recording.header.task.instruction
            return SolvedTrace(name=recording.episode_id, instruction=instruction, text=text)
    return None


def _lines(skills: list[SkillRecord], calls: list[CallRecord]) -> list[str]:
    thoughts = {call.applied_tick: call.completion for call in calls}
    lines: list[str] = []
    for skill in skills:
        thought = _thought(thoughts.get(skill.began, ""))
        lines += [thought] if thought else []
        lines += [skill.call, STOP, f"Result: {skill.response}"]
    return [*lines, DONE, STOP]


def _thought(completion: str) -> str:
    first = completion.lstrip().partition("\n")[0].strip()
    return first if first.startswith(THOUGHT) else ""

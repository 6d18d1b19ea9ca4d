"""Notes about a policy for the log: its model calls with what became of them, and its skills."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from server.robots.policy import PastCall, Policy, PolicyView
from server.sessions.policy_records import CallRecord, SkillRecord


class CallNotes:
    """The model calls and skill calls of one seat in one episode, until the log takes them."""

    def __init__(self, seat: str) -> None:
        self._seat = seat
        self._calls: list[CallRecord] = []
        self._skills = 0
        """Number of skill calls of the history that the log has."""

    def keep(
        self,
        policy: Policy,
        asked: PolicyView,
        *,
        applied: int | None = None,
        overtaken: bool = False,
        error: str = "",
        stale: str = "",
    ) -> None:
        """Keep the model calls of a policy since the last time, with what is known of them.

        ``asked`` is the view that they were made for, ``applied`` the tick at which the answer
        counted, ``stale`` why it did not.
        """
        for call in policy.take_calls():
            self._calls.append(
                msgspec.structs.replace(
                    call,
                    seat=self._seat,
                    asked_tick=asked.tick,
                    applied_tick=applied,
                    observed_tick=asked.observed_tick,
                    overtaken=overtaken,
                    prefetched=asked.doing is not None,
                    stale=stale,
                    error=call.error or error,
                )
            )

    def take_calls(self) -> list[CallRecord]:
        """Return the model calls since the last time."""
        taken, self._calls = self._calls, []
        return taken

    def take_skills(self, history: Sequence[PastCall]) -> list[SkillRecord]:
        """Return the skill calls that ended since the last time."""
        new, self._skills = history[self._skills :], len(history)
        return [
            SkillRecord(
                seat=self._seat, call=p.text, response=p.response, began=p.began, ended=p.ended
            )
            for p in new
        ]

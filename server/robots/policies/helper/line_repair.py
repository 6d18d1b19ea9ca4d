"""Repair of lines that failed (HELPER-X's "Rectifier").

A line is repaired by the model once, tried once with another thing or place, and then left. Repairs
are never repaired.
"""

from __future__ import annotations

from server.robots.policies.helper.effects import Effects
from server.robots.policies.helper.name_binding import Binder
from server.robots.policies.helper.partner_requests import partner_has
from server.robots.policies.helper.progress import Progress
from server.robots.policies.helper.settings import RunSettings
from server.robots.policies.helper.steps import Step
from server.robots.policies.helper.subgoals import Failure, Repair, Subgoal
from server.robots.policy import PolicyView

FAILURE_PREFIX = "Unexpected failure! - "


class LineRepair:
    """Repair of the lines of one program after another; ``failures`` counts the episode's."""

    def __init__(
        self, settings: RunSettings, progress: Progress, binder: Binder, effects: Effects
    ) -> None:
        self.failures = 0
        self._settings = settings
        self._progress = progress
        self._binder = binder
        self._effects = effects

    def fail(self, view: PolicyView, failure: Failure) -> Repair | None:
        """Deal with a call that has failed for good; return what to ask the model, if anything."""
        subgoal, active, step, response = failure
        if partner_has(view, step.thing) or subgoal.status != "open":
            active.steps = None
            return None
        if active is not subgoal:
            self._progress.finish(subgoal, active, left=response)
            return None
        until = self._settings.repairs_until
        may_repair = self._settings.repairs and (until is None or self.failures < until)
        subgoal.why = response.removeprefix(FAILURE_PREFIX)
        if subgoal.attempt == 0 and may_repair:
            subgoal.attempt = 1
            return Repair(subgoal, self._progress.excerpt(subgoal.line), subgoal.why)
        self._try_otherwise(view, subgoal, step)
        return None

    def patched(self, view: PolicyView, subgoal: Subgoal) -> None:
        """Deal with a repair that has been run."""
        subgoal.patch = None
        if subgoal.helped or self._effects.hold(view, subgoal.line, self._binder.bound):
            self._progress.finish(subgoal, subgoal)
        else:
            self._try_otherwise(view, subgoal, None)

    def _try_otherwise(self, view: PolicyView, subgoal: Subgoal, step: Step | None) -> None:
        line = subgoal.line
        if subgoal.attempt >= 2:
            self._progress.give_up(subgoal, subgoal.why)
            return
        subgoal.attempt, subgoal.steps = 2, None
        key = self._binder.bound.get(line.thing, "")
        is_thing = step is not None and not step.place and step.thing == key
        name = line.thing
        if line.other and line.verb != "bring_next_to" and not is_thing:
            name = line.other
        declared = self._progress.declared[name]
        has_another = not declared.every and self._binder.take_another(view, declared)
        if not has_another and not self._settings.tries_again:
            self._progress.give_up(subgoal, subgoal.why)

"""Choice of the line that is run next, and of those that have to wait for the partner."""

from __future__ import annotations

from server.robots.policies.helper.effects import Effects
from server.robots.policies.helper.name_binding import Binder
from server.robots.policies.helper.partner_requests import partner_has
from server.robots.policies.helper.program_parser import FUNCTIONS, UNTIL_DONE
from server.robots.policies.helper.progress import Progress
from server.robots.policies.helper.settings import RunSettings
from server.robots.policies.helper.subgoals import Subgoal
from server.robots.policy import PolicyView
from server.sessions.spec import TICK_RATE


class LineChoice:
    """Choice among the lines of one program after another."""

    def __init__(
        self, settings: RunSettings, progress: Progress, binder: Binder, effects: Effects
    ) -> None:
        self.awaited = ""
        """Name of what the partner was asked about and has not answered yet; meanwhile lines
        without it come first."""
        self._settings = settings
        self._progress = progress
        self._binder = binder
        self._effects = effects
        self._current: Subgoal | None = None

    def start(self) -> None:
        """Begin with a new program."""
        self._current = None
        self.awaited = ""

    def next(self, view: PolicyView) -> Subgoal | None:
        """Return the line to be run now; None: all are done or wait."""
        current = self._current
        if current is not None and self._goes_on(view, current):
            return current
        self._current = self._first(view, {self.awaited} if self.awaited else set())
        if self._current is None and self.awaited:
            self._current = self._first(view, set())
        return self._current

    def _goes_on(self, view: PolicyView, current: Subgoal) -> bool:
        is_begun = current.status == "open" and bool(current.steps or current.patch)
        # Asking may end it: the partner has done it, or took too long.
        return is_begun and not self.is_blocked(view, current) and current.status == "open"

    def _first(self, view: PolicyView, waiting: set[str]) -> Subgoal | None:
        """Return the first line that waits for nothing and shares no thing with a waiting one."""
        for subgoal in self._progress.subgoals:
            if subgoal.status != "open":
                continue
            line = subgoal.line
            if line.verb == UNTIL_DONE and waiting:
                return None
            if line.verb in FUNCTIONS:
                subgoal.status = "done"
                continue
            used = {line.thing, line.other, line.beside} & self._progress.movable()
            if not used & waiting and not self.is_blocked(view, subgoal):
                if subgoal.status == "open":
                    return subgoal
                continue
            if not self._settings.goes_on:
                return None
            waiting |= used
        return None

    def is_blocked(self, view: PolicyView, subgoal: Subgoal) -> bool:
        """Tell whether a line waits for the partner; one that has waited too long is left."""
        since = subgoal.asked
        if since is not None:
            if self._is_granted(view, subgoal):
                subgoal.status = "done"
                return False
        elif partner_has(view, self._binder.bound.get(subgoal.line.thing, "")):
            since = subgoal.blocked = view.tick if subgoal.blocked is None else subgoal.blocked
        else:
            subgoal.blocked = None
            return False
        if view.tick - since < self._settings.partner_wait_s * TICK_RATE:
            return True
        self._progress.give_up(subgoal, "the partner took too long")
        return False

    def _is_granted(self, view: PolicyView, subgoal: Subgoal) -> bool:
        """Tell whether the partner has done what it was asked for."""
        line, bound = subgoal.line, self._binder.bound
        declared = self._progress.declared[line.thing]
        among = self._binder.candidates(view, declared)
        if declared.every:
            among = self._progress.members.get(declared.name, [])
        done = [k for k in among if self._effects.hold(view, line, {declared.name: k})]
        if declared.every:
            return bool(done) and len(done) == len(among)
        if done:
            bound.setdefault(declared.name, done[0])
        return self._effects.hold(view, line, bound)

"""Progress of a program: what has become of each of its lines."""

from __future__ import annotations

from server.robots.policies.helper.name_binding import Binder
from server.robots.policies.helper.program_parser import FUNCTIONS, NOTHING, Declared, Line, Program
from server.robots.policies.helper.steps import PLACING_VERBS, STATES
from server.robots.policies.helper.subgoals import Subgoal


class Progress:
    """Progress of one program after another, in one episode."""

    def __init__(self, binder: Binder) -> None:
        self.program = Program()
        self.subgoals: list[Subgoal] = []
        self.declared: dict[str, Declared] = {}
        """Declarations by name, those of repairs too."""
        self.members: dict[str, list[str]] = {}
        """Things found so far, by a name that stands for all of a kind."""
        self._binder = binder
        self._patches = 0

    def start(self, program: Program) -> None:
        """Begin a program of which nothing has been done yet."""
        self.program = program
        self.subgoals = [Subgoal(line) for line in program.lines]
        self.declared = {d.name: d for d in program.declared}
        self.members.clear()

    def patch(self, subgoal: Subgoal, program: Program) -> None:
        """Run a repair in place of a line that failed."""
        if all(line.verb == NOTHING for line in program.lines):
            self.give_up(subgoal, "no repair was needed")
            return
        self._patches += 1
        names = {}
        for declared in program.declared:
            own = declared.name
            if own not in self.declared:
                own = f"{declared.name}@{self._patches}"
                self.declared[own] = declared._replace(name=own)
            names[declared.name] = own
        subgoal.patch = [
            Subgoal(
                line._replace(
                    thing=names.get(line.thing, ""),
                    other=names.get(line.other, ""),
                    beside=names.get(line.beside, ""),
                )
            )
            for line in program.lines
            if line.verb not in FUNCTIONS
        ]

    # What comes of lines

    def finish(self, subgoal: Subgoal, active: Subgoal, left: str = "") -> None:
        """End a line, a line of its patch, or its part about one of several things."""
        if active is not subgoal:
            assert subgoal.patch is not None
            subgoal.patch.remove(active)
            subgoal.helped = not left
            return
        name = subgoal.line.thing
        if self.declared[name].every and name in self._binder.bound:
            subgoal.settled.add(self._binder.bound.pop(name))
            subgoal.steps, subgoal.attempt = None, 0
        elif left:
            self.give_up(subgoal, left)
        else:
            subgoal.status = "done"

    def give_up(self, subgoal: Subgoal, why: str) -> None:
        """Leave a line, or its part about one of several things."""
        name = subgoal.line.thing
        if name and self.declared[name].every and name in self._binder.bound:
            subgoal.settled.add(self._binder.bound.pop(name))
            subgoal.steps, subgoal.attempt, subgoal.patch = None, 0, None
            return
        subgoal.status, subgoal.why = "left", why

    def leave(self, declared: Declared, why: str) -> None:
        """Leave the lines about a thing that somebody else takes care of."""
        for subgoal in self.subgoals:
            if subgoal.line.thing == declared.name and subgoal.status == "open":
                subgoal.status, subgoal.why = "left", why

    # How it stands

    def is_flawless(self) -> bool:
        return all(subgoal.status == "done" for subgoal in self.subgoals)

    def report(self) -> str:
        """Return the program with what became of each line."""
        words = {"open": "not done yet", "done": "done"}
        lines = [str(d) for d in self.program.declared]
        lines += [
            f"{s.line}  # {words.get(s.status) or f'given up: {s.why}'}" for s in self.subgoals
        ]
        return "\n".join(lines)

    def excerpt(self, line: Line) -> str:
        """Return a line with what its names stand for."""
        return Program(tuple(self.declared.values())).excerpt(line)

    def placements(self) -> list[Subgoal]:
        """Return the last placement of each thing that was brought about."""
        last = {s.line.thing: s for s in self.subgoals if s.line.verb in PLACING_VERBS}
        return [
            s for s in last.values() if s.status == "done" and not self.declared[s.line.thing].every
        ]

    def movable(self) -> set[str]:
        """Return the names of what can be carried.

        Lines about the same furniture do not wait for one another.
        """
        return {s.line.thing for s in self.subgoals if s.line.verb in (*PLACING_VERBS, *STATES)}

"""Home of a few things where ``helper`` runs programs, and calls come to what a test says."""

from __future__ import annotations

from typing import Any

from episodes.bodies import SeatKind
from episodes.names import Names
from episodes.worldgraph import Known, Place
from server.robots.policies.helper.name_binding import words_of
from server.robots.policies.helper.program_parser import parse
from server.robots.policies.helper.runner import Runner
from server.robots.policies.helper.settings import RunSettings
from server.robots.policies.helper.subgoals import Repair
from server.robots.policy import Do, Heard, PastCall, Pause, PolicyView, SeenAct
from server.skills import SUCCESS, learn
from server.skills import parse as parse_call
from server.skills import read as read_call
from server.skills.feedback import failure
from server.skills.registry import skills_of
from tests.server.robots.policies.test_golden_prompts import graph

PLAIN = ("Navigate", "Explore", "Open", "Close", "Pick", "Place", "Clean", "Fill", "PowerOn")


class Home:
    """World graph that calls change, and the runner that makes the calls.

    The counter and the bed have doors here.
    """

    def __init__(
        self,
        program: str,
        *,
        kind: SeatKind = "robot",
        tools: tuple[str, ...] = PLAIN,
        found: bool = True,
        settings: RunSettings | None = None,
        asks_which: bool = False,
    ) -> None:
        self.kind: SeatKind = kind
        self.seat = "robot_0" if kind == "robot" else "human_0"
        self.partner = "human_0" if kind == "robot" else "robot_0"
        self.graph = graph(found=found)
        self.graph.articulated = frozenset(("counter_x", "bed_x"))
        self.graph.objects.pop("lamp_x", None)
        self.graph.agents = {"robot_0": "kitchen_0", "human_0": "kitchen_0"}
        self.tools = tuple(s for s in skills_of(kind) if s.name in tools)
        self.history: list[PastCall] = []
        self.acts: list[SeenAct] = []
        self.chat: list[Heard] = []
        self.tick = 0
        self.fails: dict[str, str] = {}
        """Error of each call that does not succeed."""
        self.hidden: dict[str, dict[str, Known]] = {}
        """Things that each call brings to light."""
        self.runner = Runner(settings or RunSettings(), asks_which=asks_which)
        made = parse(program, words_of(self.graph, names=True))
        assert made.refused == ()
        self.runner.start(made)

    def add(self, name: str, place: Place, states: tuple[tuple[str, bool], ...] = ()) -> None:
        """Add an object."""
        names = {**self.graph.names.graph, f"{name}_x": name}
        self.graph.names = Names(names, names)
        self.graph.objects[f"{name}_x"] = Known(place, states)

    def view(self) -> PolicyView:
        return PolicyView(
            seat=self.seat, kind=self.kind, tick=self.tick, instruction="", graph=self.graph,
            tools=self.tools, history=tuple(self.history), partner_acts=tuple(self.acts),
            chat=tuple(self.chat), position=(2.0, 0.0, 2.0), room="kitchen_1",
        )  # fmt: skip

    def next(self) -> Any:
        """Return the next outcome; a call is carried out."""
        outcome = self.runner.next(self.view())
        match outcome:
            case Do(call):
                self.carry_out(str(call))
            case Pause(ticks):
                self.tick += ticks
        return outcome

    def carry_out(self, text: str) -> None:
        self.tick += 30
        response = failure(self.fails[text]) if text in self.fails else SUCCESS
        written = read_call(text, self.kind)
        self.history.append(PastCall(written, response, self.tick - 30, self.tick))
        if response == SUCCESS:
            call = parse_call(text, self.kind)
            if call.skill.name == "Rearrange":
                call = call._replace(skill=next(s for s in skills_of("robot") if s.name == "Place"))
            learn(self.graph, self.seat, call)
            for name, known in self.hidden.pop(text, {}).items():
                self.add(name, known.place, known.states)

    def until(self, kind: type | None, most: int = 60) -> tuple[list[str], Any]:
        """Return the calls up to an outcome of a kind (None: the end), and that outcome."""
        calls: list[str] = []
        for _ in range(most):
            outcome = self.next()
            if outcome is None or (kind is not None and isinstance(outcome, kind)):
                assert (outcome is None) == (kind is None), (
                    outcome,
                    calls,
                    self.runner.progress.report(),
                )
                return calls, outcome
            if isinstance(outcome, Do):
                calls.append(outcome.text)
            elif isinstance(outcome, Repair):
                raise AssertionError(f"not expected: {outcome}")
        raise AssertionError(f"it goes on and on: {calls}")

    def calls(self) -> list[str]:
        return self.until(None)[0]


def on(key: str) -> Place:
    return Place("furniture", key)

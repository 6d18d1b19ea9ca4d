"""The actions of a seat by their numbers: what can be called with the names that the seat knows.

A number means the same call to the end of the episode: things that come to light are added behind
those that were known. The first two need no name.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from episodes.names import floor_key
from episodes.worldgraph import WorldGraph
from server.robots.policy import Decision, Do, Finished, Pause, PolicyView, SayLine
from server.sessions.spec import TICK_RATE
from server.skills import Call, Skill, Unparsed

MOST_ACTIONS = 1024
"""Numbers of actions: about 500 in a house of ours, and room for larger ones."""
GO_ON = 0
"""Go on with the call that runs; where none does, wait a second, or until something happens."""
FINISH = 1
"""Say that one's part is done: the body does nothing more in this episode."""
WAIT_TICKS = TICK_RATE
_NAMELESS = ("go on", "finish")

Mask = npt.NDArray[np.int8]


class ActionList:
    """The actions of one seat in one episode."""

    def __init__(self) -> None:
        self.texts: list[str] = list(_NAMELESS)
        """The actions as text, by number."""
        self._calls: list[Call | None] = [None, None]
        """Calls by number; what is to be put down there is named when the action is taken."""
        self._known: set[str] = set()

    def learn(self, view: PolicyView) -> None:
        """Add the actions on what the seat has come to know."""
        graph = view.graph
        if not self._known:
            for name, call in _calls_in_house(graph, view.tools):
                self._add(name, call)
        for handle in graph.objects:
            if handle not in self._known:
                self._known.add(handle)
                name = graph.names.graph[handle]
                for skill in view.tools:
                    if skill.arguments in (("target",), ("object",)):
                        self._add(f"{skill.name}[{name}]", Call(skill, (name,)))

    def _add(self, text: str, call: Call) -> None:
        # A house so large that numbers do not suffice: its last things have text only.
        if len(self.texts) < MOST_ACTIONS:
            self._known.add("house")
            self.texts.append(text)
            self._calls.append(call)

    def mask(self, view: PolicyView, *, asked: bool) -> Mask:
        """Return 1 for each number that can be tried now, (`MOST_ACTIONS`,).

        Things are picked with an empty hand and put down with a full one. Whether a call comes to
        anything is the rules' to say. Where the seat is not asked, there is only `GO_ON`.
        """
        mask = np.zeros(MOST_ACTIONS, dtype=np.int8)
        mask[GO_ON] = 1
        if asked:
            mask[FINISH] = 1
            holds = view.graph.held(view.seat) is not None
            for number, call in enumerate(self._calls):
                if call is not None:
                    mask[number] = {"Pick": not holds, "Place": holds}.get(call.name, True)
        return mask

    def decision(self, action: int | str, view: PolicyView) -> Decision:
        """Return the decision of an action: a number, a call as text, or ``say: …``.

        What cannot be called is no error here: the seat is told, as any policy is. Raises
        ValueError for a number that no action can have.
        """
        if isinstance(action, str):
            said = action.removeprefix("say:")
            return Do(action) if said == action else SayLine(said.strip())
        if not 0 <= action < MOST_ACTIONS:
            raise ValueError(f"expected an action from 0 to {MOST_ACTIONS - 1}, got {action}")
        if action == GO_ON:
            return Pause(WAIT_TICKS)
        if action == FINISH:
            return Finished()
        if action >= len(self._calls):
            known = f"those up to {len(self._calls) - 1} are known so far"
            return Do(Unparsed(str(action), f"no action has the number {action}: {known}"))
        call = self._calls[action]
        assert call is not None
        if call.name != "Place":
            return Do(call)
        held = view.graph.held(view.seat)
        if held is None:
            return Do(Unparsed(self.texts[action], "nothing is in the hand"))
        _, relation, where, *_ = call.arguments
        return Do(Call.putting("Place", view.graph.names.graph[held], relation, where))


def _calls_in_house(graph: WorldGraph, tools: tuple[Skill, ...]) -> Iterator[tuple[str, Call]]:
    """Yield the calls on rooms and furniture, which a seat knows from the start."""
    names = graph.names.graph
    skills = {skill.name: skill for skill in tools}
    rooms = [names[room.room_id] for room in graph.scene.rooms]
    for name, skill in skills.items():
        if skill.arguments == ("room",):
            yield from ((f"{name}[{room}]", Call(skill, (room,))) for room in rooms)
    floors = {floor_key(room.room_id) for room in graph.scene.rooms}
    for key in graph.rooms:
        articulated = key in graph.articulated
        # A floor is walked to by its room's name.
        may_be: dict[tuple[str, ...], bool] = {
            ("furniture",): articulated,
            ("target",): key in graph.furniture_states or key in graph.faucets,
        }
        for name, skill in skills.items():
            if name == "Place":
                yield from _placings(skill, names[key], articulated=articulated)
            elif key not in floors and (name == "Navigate" or may_be.get(skill.arguments)):
                yield f"{name}[{names[key]}]", Call(skill, (names[key],))
    if "Navigate" in skills:
        yield from ((f"Navigate[{room}]", Call(skills["Navigate"], (room,))) for room in rooms)


def _placings(skill: Skill, place: str, *, articulated: bool) -> Iterator[tuple[str, Call]]:
    """Yield the calls that put down there what is in the hand, which is not named yet."""
    for relation in ("on", "within") if articulated else ("on",):
        text = f"Place[…, {relation}, {place}, none, none]"
        yield text, Call(skill, ("", relation, place, "none", "none"))

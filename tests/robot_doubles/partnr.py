"""Model double that plans well.

It knows how each task is solved, and reads the rest of what it answers from the prompt, as a model
would.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from episodes.names import floor_key
from server.robots.baselines.expert.goals import plan
from server.robots.baselines.scripted_player import Change, Put
from server.robots.models import ModelAnswer, ModelRequest
from server.robots.models.call_record import prompt_text
from server.robots.policies.react import lookup_prompts
from server.sessions.core import SessionCore
from tests.robot_doubles.knowledge import may_be_shut_in, room_told
from tests.robot_doubles.model_answer import model_answer
from tests.robot_doubles.prompt_reader import (
    Past,
    Seen,
    agents_in,
    asked_for,
    busy_of,
    listed_in,
    past_of,
)

_STATE_CALLS = {
    "clean": ("Clean", "clean: True"),
    "fill": ("Fill", "filled: True"),
    "power_on": ("PowerOn", "powered_on: True"),
    "power_off": ("PowerOff", "powered_on: False"),
}
TRIES = 2
"""Attempts in one place before the next one is tried."""
GIVES_UP = 5
"""Attempts at what the other agent may be better at."""
PATIENCE = 3
"""Waits for which a person leaves to the robot what a robot can do."""
MOST_PARTS = 8
"""Openings of something with doors and drawers before it is given up."""
BRINGS_TO_LIGHT = ("Explore", "Open", "Wait")


@dataclass
class Wish:
    """A goal to bring about, by names."""

    thing: str
    call: str
    furniture: str = ""
    state: str = ""
    needs: set[int] = field(default_factory=set)
    for_people: bool = False
    room: str = ""
    """Room that the instruction names for the thing."""
    may_be_in: list[str] = field(default_factory=list)
    """Furniture that can be opened, the likeliest for the thing first."""
    is_furniture: bool = False
    elsewhere: list[tuple[str, str]] = field(default_factory=list)
    """Other calls that would do, and their furniture, for where there is no room."""


def wishes_of(core: SessionCore) -> list[Wish]:
    """Return what the expert would do before anything has been done.

    Where the things are is not in it, as far as the instruction does not tell.
    """
    names = core.names.graph
    found = []
    for goal in plan(core):
        wish = Wish(names[goal.thing], "", needs=set(goal.needs), for_people=goal.for_people)
        wish.is_furniture = goal.thing not in core.world.objects
        if not wish.is_furniture:
            wish.room = names.get(room_told(core, goal.thing) or "", "")
            wish.may_be_in = [names[f] for f in may_be_shut_in(core, goal.thing)]
        for step in goal.ways[0]:
            if isinstance(step, Change):
                tool, wish.state = _STATE_CALLS[step.verb]
                wish.call = f"{tool}[{wish.thing}]"
        placed = [_placing(core, wish.thing, step) for way in goal.ways for step in way
                  if isinstance(step, Put)]  # fmt: skip
        if placed and not wish.state:
            (wish.call, wish.furniture), *wish.elsewhere = dict.fromkeys(placed)
        found.append(wish)
    return found


def _placing(core: SessionCore, thing: str, step: Put) -> tuple[str, str]:
    """Return the call of a placing, and the furniture."""
    names = core.names.graph
    target, relation, near = step.target, step.relation, step.next_to
    if relation == "floor":
        target, relation = floor_key(target), "on"
    beside = "none, none" if near is None else f"next_to, {names[near]}"
    return f"Rearrange[{thing}, {relation}, {names[target]}, {beside}]", names[target]


class PartnrDouble:
    """Model double that answers in whatever format it is asked in; ``plans`` by instruction."""

    def __init__(self, plans: dict[str, list[Wish]]) -> None:
        self.plans = plans
        self.requests: list[ModelRequest] = []

    @classmethod
    def for_tasks(cls, cores: Iterable[SessionCore]) -> PartnrDouble:
        return cls({core.task_text: wishes_of(core) for core in cores})

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        self.requests.append(request)
        return model_answer("partnr double", prompt_text(request), self.answer(request))

    def answer(self, request: ModelRequest) -> str:
        prompt = prompt_text(request)
        if lookup_prompts.STOP in request.stop:
            return prompt.rpartition("Known:\n")[2].partition("\nQuestion:")[0]
        instruction = next(i for i in self.plans if f"Task: {i}\n" in prompt)
        number = int(bool(re.search(r"You are (the )?person", prompt)))
        mind = _Mind(self.plans[instruction], request, number)
        if "<end_act>" in request.stop:
            return mind.call(0)
        if not mind.agents:
            return f"Thought: I go on with the task.\n{mind.call(number)}\n"
        calls = mind.calls(busy_of(request))
        if set(calls.values()) == {"Done[]"}:
            return "Thought: It is all done.\nDone[]\n"
        lines = [
            f"Agent_{n}_Action: {'Wait[]' if call == 'Done[]' else call}\n"
            for n, call in calls.items()
        ]
        return f"Thought: We share the work.\n{''.join(lines)}"


class _Mind:
    """Contents of one prompt, as far as they can be read out."""

    def __init__(self, wishes: list[Wish], request: ModelRequest, number: int) -> None:
        self.wishes = wishes
        self.prompt = prompt_text(request)
        self.past = past_of(request, number)
        self.agents = agents_in(self.prompt)
        people = [int(n) for n in re.findall(r"Agent (\d) is a\s+person[.:]", self.prompt)]
        self.people = people if self.agents else [1]
        alone = re.search(r"You are \w+ (\d); beside you", self.prompt)
        self.first = int(alone[1]) - 1 if alone else 0
        """Number among its kind of an agent that decides for itself: each begins elsewhere."""
        tools = self.prompt.partition("Possible Actions")[2]
        self.rearranges = not tools or "Rearrange[" in tools
        if "<end_act>" in request.stop and request.constraint is not None:
            # The prompt lists no tools; the grammar has those of the seat.
            self.rearranges = "Rearrange" in str(request.constraint.value)
        if any('"Rearrange" not found' in p.result for p in self.past):
            # The compact format lists no tools.
            self.rearranges = False
        self.knows_all = "FindObjectTool" not in self.prompt
        self.where = listed_in(self.prompt) if self.knows_all else asked_for(request)
        rooms = re.findall(r"^(\w+_\d+): floor_", self.prompt, re.M)
        if not self.knows_all:
            # What a tool has told, which stands alone on its lines.
            rooms = re.findall(r"^(?:Result: )?([a-z_]+_\d+)$", self.prompt, re.M)
        self.rooms = rooms or re.findall(r"(?<=floor_)\w+_\d+", self.prompt)
        self.tap = (re.findall(r"have a faucet: (\w+)", self.prompt) or [""])[0]
        self.taken: set[str] = set()
        self.shares = False
        """Whether one mind plays both, so that either carries."""

    def calls(self, busy: dict[int, str]) -> dict[int, str]:
        """Return the calls of all agents; one that is busy keeps to what it does."""
        self.shares = True
        if all(self._is_done(wish) for wish in self.wishes):
            return dict.fromkeys(self.agents, "Done[]")
        for call in busy.values():
            self._take(call)
        return {number: busy.get(number) or self.call(number) for number in self.agents}

    def call(self, number: int) -> str:
        """Return the call of agent 0, the robot, or 1, the person."""
        call = self._ask() or self._next(number)
        self._take(call)
        return call

    def _take(self, call: str) -> None:
        """Note the things of a call, which the other agent need not see to."""
        self.taken |= set(re.findall(r"\w+_\d+", call))

    def _ask(self) -> str:
        """Return what one who is told nothing has to ask: at first, and after news."""
        if self.knows_all:
            return ""
        asked = [p.call.partition("[")[0] for p in self.past]
        if "FindRoomTool" not in asked:
            return "FindRoomTool[all rooms]"
        last = self.past[-1]
        is_news = asked[-1] in BRINGS_TO_LIGHT
        is_news = is_news or (asked[-1] in ("Navigate", "Pick") and not last.succeeded)
        if "FindObjectTool" not in asked or is_news:
            return "FindObjectTool[all objects]"
        return ""

    def _next(self, number: int) -> str:
        is_open = {n for n, wish in enumerate(self.wishes) if not self._is_done(wish)}
        if not is_open:
            return "Done[]"
        if number in self.people and (full := self._left_in_hand(is_open, number)):
            return self._at(number, self.tap, f"Place[{full}, on, {self.tap}, none, none]")
        theirs = {self.wishes[n].thing for n in is_open if self.wishes[n].for_people}
        # What it holds first: there is one hand.
        among = len(self.wishes)
        for n in sorted(
            is_open,
            key=lambda n: (not self._holds(self.wishes[n], number), (n - self.first) % among),
        ):
            wish = self.wishes[n]
            blocked = bool(wish.needs & is_open) or wish.thing in self.taken
            blocked = blocked or (self.shares and self._is_held_by_others(wish, number))
            if self._gave_up(wish, number):
                if self._holds(wish, number):
                    return self._on_the_floor(wish, number)
                blocked = True
            if blocked or (number not in self.people and wish.thing in theirs):
                continue
            if number in self.people and not self.shares and self._others_do(wish):
                continue
            self.taken.add(wish.thing)
            return self._towards(wish, number)
        return "Wait[]"

    def _others_do(self, wish: Wish) -> bool:
        """Tell whether a wish is left to the robot, because nobody has to wash the thing.

        That ends once the robot has been waited for long.
        """
        if sum(p.call == "Wait[]" for p in self.past) >= PATIENCE:
            return False
        return not any(w.for_people and w.thing == wish.thing for w in self.wishes)

    def _is_done(self, wish: Wish) -> bool:
        if wish.is_furniture:
            return any(p.call == wish.call and p.succeeded for p in self.past)
        found = self.where.get(wish.thing)
        if found is None:
            return False
        if wish.state:
            return wish.state in found.states
        return any(found.furniture == furniture for _, furniture in self._tried(wish))

    def _tried(self, wish: Wish) -> list[tuple[str, str]]:
        """Return the calls for a placing that were made; the last is the one to make now.

        What has not worked twice, closed furniture apart, is tried elsewhere.
        """
        ways = [(wish.call, wish.furniture), *wish.elsewhere]
        for number, (call, furniture) in enumerate(ways):
            opened = sum(p.call == f"Open[{furniture}]" and p.succeeded for p in self.past)
            if self._failures(call) < TRIES + opened:
                return ways[: number + 1]
        return ways

    def _failures(self, call: str, number: int | None = None) -> int:
        same = (call, call.replace("Rearrange", "Place"))
        return sum(
            p.call in same and not p.succeeded and number in (None, p.number) for p in self.past
        )

    # Towards one wish

    def _towards(self, wish: Wish, number: int) -> str:
        found = self.where.get(wish.thing)
        if found is None and not wish.is_furniture:
            return self._search(wish, number)
        if wish.state and number in self.people:
            return self._change(wish, number)
        if wish.call.startswith("Rearrange[") and not self.rearranges:
            if not self._holds(wish, number):
                return self._pick(wish.thing, number)
            call, furniture = self._tried(wish)[-1]
            return self._at(number, furniture, call.replace("Rearrange", "Place"))
        return wish.call if wish.state else self._tried(wish)[-1][0]

    def _search(self, wish: Wish, number: int) -> str:
        """Return the next look for a thing: in the room that was told, then in all, then inside.

        Rooms where only the other agent has looked come last.
        """
        over = [p for p in self.past if p.succeeded or "There is no furniture" in p.result]
        explored = [(p.number, p.call) for p in over]
        free = [r for r in self.rooms if r not in self.taken]
        unseen = [r for r in free if not any(c == f"Explore[{r}]" for _, c in explored)]
        if wish.room in unseen:
            return f"Explore[{wish.room}]"
        if unseen:
            return f"Explore[{unseen[0]}]"
        shut = next((f for f in wish.may_be_in if self._may_open(f)), "")
        if shut:
            return self._at(number, shut, f"Open[{shut}]")
        unseen = [r for r in free if (number, f"Explore[{r}]") not in explored]
        return f"Explore[{unseen[0]}]" if unseen else "Wait[]"

    def _may_open(self, furniture: str) -> bool:
        """Tell whether more of a piece of furniture may be opened, and nobody is at it."""
        opens = [p for p in self.past if p.call == f"Open[{furniture}]"]
        is_all_open = any("already open" in p.result for p in opens) or len(opens) >= MOST_PARTS
        in_vain = sum(p.call == f"Navigate[{furniture}]" and not p.succeeded for p in self.past)
        return not is_all_open and in_vain < TRIES and furniture not in self.taken

    def _change(self, wish: Wish, number: int) -> str:
        """Return the next call for a state; what is washed or filled is carried to a tap."""
        if wish.is_furniture or not wish.call.startswith(("Clean", "Fill")):
            return self._at(number, wish.thing, wish.call)
        if not self._holds(wish, number):
            return self._pick(wish.thing, number)
        return self._at(number, self.tap, wish.call)

    def _pick(self, thing: str, number: int) -> str:
        return self._at(number, thing, f"Pick[{thing}]")

    def _at(self, number: int, where: str, call: str) -> str:
        """Return a call after the walk to where it can be made.

        After it has failed there, it is what may help: to open something, or to walk there again.
        """
        mine = [p for p in self.past if p.number == number and not p.call.startswith("Find")]
        walks = [p for p in mine if p.call.startswith(("Navigate", "Explore", "Rearrange"))]
        if not walks or walks[-1].call != f"Navigate[{where}]" or not walks[-1].succeeded:
            return f"Navigate[{where}]"
        last = mine[-1]
        if last.succeeded:
            return call
        shut = self._shut(last, where)
        return f"Open[{shut}]" if shut else f"Navigate[{where}]"

    def _shut(self, failed: Past, where: str) -> str:
        """Return what is to be opened, if that is why a call has failed."""
        if "in a closed furniture" in failed.result:
            return self.where.get(where, Seen()).furniture
        is_full = "No valid placements" in failed.result and ", within, " in failed.call
        return where if is_full else ""

    # Hands

    def _left_in_hand(self, is_open: set[int], number: int) -> str:
        """Return what an agent holds and nobody wants any more."""
        wanted = {self.wishes[n].thing for n in is_open}
        held = (w.thing for w in self.wishes if self._holds(w, number))
        return next((thing for thing in held if thing not in wanted), "")

    def _holds(self, wish: Wish, number: int) -> bool:
        """Tell whether an agent holds a thing.

        Alone, an agent is told of "the agent"; where one model plays both, of their numbers.
        """
        found = self.where.get(wish.thing)
        holder = f"held by Agent {number} " if self.shares else "held by the agent"
        return found is not None and found.holder.startswith(holder)

    def _is_held_by_others(self, wish: Wish, number: int) -> bool:
        return any(self._holds(wish, other) for other in self.agents if other != number)

    def _gave_up(self, wish: Wish, number: int) -> bool:
        """Tell whether an agent has tried often enough to take or place a thing.

        It may not see or reach it, where the other agent may.
        """
        if self.rearranges or not wish.call.startswith("Rearrange["):
            return False
        tried = (f"Pick[{wish.thing}]", self._tried(wish)[-1][0])
        return any(self._failures(call, number) >= GIVES_UP for call in tried)

    def _on_the_floor(self, wish: Wish, number: int) -> str:
        furniture = self._tried(wish)[-1][1]
        floor = re.search(rf"^\w+: (floor_\w+), .*\b{furniture}\b", self.prompt, re.M)
        where = floor[1] if floor else f"floor_{self.rooms[0]}"
        return self._at(number, where, f"Place[{wish.thing}, on, {where}, none, none]")

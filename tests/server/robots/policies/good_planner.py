"""A model double that plans well: it knows how each task is solved, and reads the rest of what it
answers from the prompt, as a model would."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from episodes.names import floor_key
from server.robots.expert.goals import plan
from server.robots.models import Message, ModelAnswer, ModelRequest
from server.robots.models.recording import prompt_text
from server.robots.prompts import lookup
from server.robots.scripted import Change, Put
from server.sessions.core import SessionCore
from tests.robot_doubles.telling import told

_STATE_CALLS = {
    "clean": ("Clean", "clean: True"),
    "fill": ("Fill", "filled: True"),
    "power_on": ("PowerOn", "powered_on: True"),
    "power_off": ("PowerOff", "powered_on: False"),
}
_BUSY = re.compile(r"Agent_(\d)_Observation: Action (.*) is still in progress")
TRIES = 2
GIVES_UP = 5
MOST_PARTS = 5
"""So often something with doors and drawers is opened before it is given up."""
_KNOWN = re.compile(
    r"^(\w+): (?:(\w+) in \w+|(held by .*?)|unknown in .*?)(?:\. States: (.*))?$", re.M
)
_FOUND = re.compile(r"^(?:Result: )?(\w+) is (?:in/on (\w+)|(held by the .*?)\.|somewhere)", re.M)


@dataclass
class Wish:
    """One thing to bring about, by names. A call's ``{}`` is where the thing's name goes."""

    thing: str
    call: str
    furniture: str = ""
    state: str = ""
    needs: set[int] = field(default_factory=set)
    for_people: bool = False
    shut_in: str = ""
    is_furniture: bool = False
    elsewhere: list[tuple[str, str]] = field(default_factory=list)
    """Other calls that would do, and their furniture: for where there is no room."""


def wishes_of(core: SessionCore) -> list[Wish]:
    """What the expert would do, before anything has been done."""
    names = core.names.graph
    found = []
    for goal in plan(core):
        wish = Wish(names[goal.thing], "", needs=set(goal.needs), for_people=goal.for_people)
        wish.is_furniture = goal.thing not in core.world.objects
        shut = None if wish.is_furniture else core.shut_in(goal.thing)
        wish.shut_in = "" if shut is None else names[shut]
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
    """The call, and the furniture."""
    names, (target, relation, near) = core.names.graph, step
    if relation == "floor":
        target, relation = floor_key(target), "on"
    beside = "none, none" if near is None else f"next_to, {names[near]}"
    return f"Rearrange[{thing}, {relation}, {names[target]}, {beside}]", names[target]


class GoodPlanner:
    """Answers in whatever format it is asked in. ``plans`` is by instruction."""

    def __init__(self, plans: dict[str, list[Wish]]) -> None:
        self.plans = plans
        self.requests: list[ModelRequest] = []

    @classmethod
    def for_tasks(cls, cores: Iterable[SessionCore]) -> GoodPlanner:
        return cls({core.task_text: wishes_of(core) for core in cores})

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        self.requests.append(request)
        return told("good planner", prompt_text(request), self.answer(request))

    def answer(self, request: ModelRequest) -> str:
        prompt = prompt_text(request)
        if lookup.STOP in request.stop:
            return prompt.rpartition("Known:\n")[2].partition("\nQuestion:")[0]
        instruction = next(i for i in self.plans if f"Task: {i}\n" in prompt)
        mind = _Mind(self.plans[instruction], prompt, _turns(request))
        if "<end_act>" in request.stop:
            return mind.call(0)
        if "Agent_1_Action" not in prompt:
            call = mind.call(int("You are the person" in prompt))
            return f"Thought: I go on with the task.\n{call}\n"
        last = prompt.rpartition("[user]\n")[2]
        calls = mind.calls({int(number): call for number, call in _BUSY.findall(last)})
        if calls == ["Done[]", "Done[]"]:
            return "Thought: It is all done.\nDone[]\n"
        calls = ["Wait[]" if call == "Done[]" else call for call in calls]
        return (
            f"Thought: We share the work.\nAgent_0_Action: {calls[0]}\nAgent_1_Action: {calls[1]}\n"
        )


def _turns(request: ModelRequest) -> list[str]:
    """What the model has answered so far."""
    if isinstance(request.prompt, str):
        return re.findall(r"^Agent_Action: (.*)$", request.prompt, re.M)
    return [m.content for m in request.prompt if m.role == "assistant"]


class _Mind:
    """What can be read out of one prompt."""

    def __init__(self, wishes: list[Wish], prompt: str, turns: list[str]) -> None:
        self.wishes = wishes
        self.prompt = prompt
        self.all_turns = turns
        self.turns = [turn for turn in turns if "Find" not in turn]
        self.before = "\n".join(turns)
        tools = prompt.partition("Possible Actions")[2]
        self.rearranges = not tools or "Rearrange[" in tools
        self.knows_all = "FindObjectTool" not in prompt
        self.asks = not self.knows_all and "FindObjectTool" not in (turns[-1:] or [""])[0]
        listed = prompt.rpartition("Objects:\n")[2]
        self.where = {m[1]: m for m in _KNOWN.finditer(listed)}
        for found in _FOUND.finditer(prompt):
            self.where[found[1]] = found
        rooms = re.findall(r"^(\w+_\d+): floor_", prompt, re.M)
        if not self.knows_all:
            # What a tool has told, which stands alone on its lines.
            rooms = re.findall(r"^(?:Result: )?([a-z_]+_\d+)$", prompt, re.M)
        self.rooms = rooms or re.findall(r"(?<=floor_)\w+_\d+", prompt)
        self.tap = (re.findall(r"have a faucet: (\w+)", prompt) or [""])[0]
        self.taken: set[str] = set()
        self.shares = False
        """One mind for both: either carries."""

    def calls(self, busy: dict[int, str]) -> list[str]:
        """For both, those who are busy keeping to what they do."""
        self.shares = True
        if all(self._is_done(wish) for wish in self.wishes):
            return ["Done[]", "Done[]"]
        self.taken = {thing for call in busy.values() for thing in re.findall(r"\w+_\d+", call)}
        return [busy.get(number) or self.call(number) for number in (0, 1)]

    def call(self, number: int) -> str:
        """For agent 0, the robot, or 1, the person."""
        if not self.knows_all and "FindRoomTool" not in "".join(self.all_turns):
            return "FindRoomTool[all rooms]"
        if self.asks:
            return "FindObjectTool[all objects]"
        is_open = {n for n, wish in enumerate(self.wishes) if not self._is_done(wish)}
        if not is_open:
            return "Done[]"
        if number == 1 and (full := self._left_in_hand(is_open, number)):
            return self._put_away(full, number)
        theirs = {self.wishes[n].thing for n in is_open if self.wishes[n].for_people}
        # What it holds first: there is one hand.
        for n in sorted(is_open, key=lambda n: (not self._holds(self.wishes[n], number), n)):
            wish = self.wishes[n]
            blocked = wish.needs & is_open or wish.thing in self.taken
            blocked = blocked or (self.shares and self._holds(wish, 1 - number))
            if self._gave_up(wish, number):
                if self._holds(wish, number):
                    return self._on_the_floor(wish, number)
                blocked = True
            if blocked or (number == 0 and wish.thing in theirs):
                continue
            if number == 1 and not self.shares and self._others_do(wish):
                continue
            self.taken.add(wish.thing)
            return self._towards(wish, number)
        return "Wait[]"

    def _others_do(self, wish: Wish) -> bool:
        """In a pair, what nobody has to wash is the robot's."""
        return not any(w.for_people and w.thing == wish.thing for w in self.wishes)

    def _is_done(self, wish: Wish) -> bool:
        found = self.where.get(wish.thing)
        if wish.is_furniture:
            return f"{wish.call}" in self.before
        if found is None:
            return False
        if wish.state:
            return wish.state in found[0]
        return any(found[2] == furniture for _, furniture in self._tried(wish))

    def _tried(self, wish: Wish) -> list[tuple[str, str]]:
        """The calls for a placing that were made, with the one to make now as the last: what has
        not worked twice is tried elsewhere."""
        ways = [(wish.call, wish.furniture), *wish.elsewhere]
        for number, (call, _) in enumerate(ways):
            times = self.before.count(call) + self.before.count(call.replace("Rearrange", "Place"))
            if times < TRIES:
                return ways[: number + 1]
        return ways

    def _towards(self, wish: Wish, number: int) -> str:
        found = self.where.get(wish.thing)
        if found is None and not wish.is_furniture:
            if wish.shut_in and self.before.count(f"Open[{wish.shut_in}]") < MOST_PARTS:
                walk = f"Navigate[{wish.shut_in}]"
                return f"Open[{wish.shut_in}]" if walk in self.before else walk
            unseen = [r for r in self.rooms if f"Explore[{r}]" not in self.before]
            if unseen or not wish.shut_in:
                return f"Explore[{unseen[0]}]" if unseen else "Wait[]"
            return self._look_again(wish.shut_in)
        if wish.state and number == 1:
            return self._change(wish, number)
        if wish.call.startswith("Rearrange[") and not self.rearranges:
            return self._step_by_step(wish, number)
        return wish.call if wish.state else self._tried(wish)[-1][0]

    def _change(self, wish: Wish, number: int) -> str:
        """States are changed where one stands; what is washed or filled is carried to a tap."""
        last = self._last(number)
        if wish.is_furniture or not wish.call.startswith(("Clean", "Fill")):
            walk = f"Navigate[{wish.thing}]"
            return wish.call if walk in last else walk
        if not self._holds(wish, number):
            walk = f"Navigate[{wish.thing}]"
            return f"Pick[{wish.thing}]" if walk in last else walk
        walk = f"Navigate[{self.tap}]"
        return wish.call if walk in last else walk

    def _left_in_hand(self, is_open: set[int], number: int) -> str:
        """What it holds and nobody wants any more."""
        wanted = {self.wishes[n].thing for n in is_open}
        held = (w.thing for w in self.wishes if self._holds(w, number))
        return next((thing for thing in held if thing not in wanted), "")

    def _put_away(self, thing: str, number: int) -> str:
        walk = f"Navigate[{self.tap}]"
        last = self._last(number)
        done = f"Place[{thing}, on, {self.tap}, none, none]"
        return done if walk in last or "Clean[" in last or "Fill[" in last else walk

    def _look_again(self, shut_in: str) -> str:
        """From somewhere else one may see what lies in it."""
        last = (self.turns[-1:] or [""])[0]
        if f"Navigate[{shut_in}]" in last:
            return f"Close[{shut_in}]"
        if f"Close[{shut_in}]" in last:
            return f"Open[{shut_in}]"
        return f"Navigate[{shut_in}]"

    def _holds(self, wish: Wish, number: int) -> bool:
        """Alone, an agent is told of "the agent"; where one model plays both, of their numbers."""
        found = self.where.get(wish.thing)
        holder = f"held by Agent {number} " if self.shares else " held by the agent"
        return found is not None and holder in found[0]

    def _gave_up(self, wish: Wish, number: int) -> bool:
        """It has tried to place it often enough where it cannot see or reach in: the other may."""
        if self.rearranges or not wish.call.startswith("Rearrange["):
            return False
        made = self._tried(wish)[-1][0].replace("Rearrange", "Place")
        mine = f"Agent_{number}_Action: {made}" if self.shares else made
        return self.before.count(mine) >= GIVES_UP

    def _on_the_floor(self, wish: Wish, number: int) -> str:
        furniture = self._tried(wish)[-1][1]
        floor = re.search(rf"^\w+: (floor_\w+), .*\b{furniture}\b", self.prompt, re.M)
        where = floor[1] if floor else ""
        walk = f"Navigate[{where}]"
        done = f"Place[{wish.thing}, on, {where}, none, none]"
        return done if walk in self._last(number) else walk

    def _last(self, number: int) -> str:
        """Its latest call."""
        if self.shares:
            return (re.findall(rf"Agent_{number}_Action: (.*)", self.before) or [""])[-1]
        return (self.turns[-1:] or [""])[0]

    def _step_by_step(self, wish: Wish, number: int) -> str:
        """For those who have no Rearrange."""
        last = self._last(number)
        if self._holds(wish, number):
            call, furniture = self._tried(wish)[-1]
            walk, place = f"Navigate[{furniture}]", call.replace("Rearrange", "Place")
            if place in last:
                # What could not be put in may be closed.
                return f"Open[{furniture}]"
            return place if walk in last or f"Open[{furniture}]" in last else walk
        opened = self.before.count(f"Open[{wish.shut_in}]")
        if wish.shut_in and f"Pick[{wish.thing}]" in last and opened < MOST_PARTS:
            # It has several doors or drawers.
            return f"Open[{wish.shut_in}]"
        at = wish.shut_in if wish.shut_in and f"Open[{wish.shut_in}]" not in self.before else ""
        if at:
            return f"Open[{at}]" if f"Navigate[{at}]" in last else f"Navigate[{at}]"
        walk = f"Navigate[{wish.thing}]"
        return f"Pick[{wish.thing}]" if walk in last else walk


class Answers:
    """Says what it is told to, whatever it is asked."""

    def __init__(self, *texts: str | Exception) -> None:
        self.texts = list(texts)
        self.requests: list[ModelRequest] = []

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        self.requests.append(request)
        text = self.texts.pop(0) if self.texts else "Thought: That is all.\nDone[]\n"
        if isinstance(text, Exception):
            raise text
        return ModelAnswer(text=text, finish_reason="stop", model="answers")

    def messages(self, number: int = -1) -> tuple[Message, ...]:
        prompt = self.requests[number].prompt
        assert not isinstance(prompt, str)
        return prompt

"""A model that plays all modules of ``llamar`` well: it knows what each task wants, and reads how
that stands from the prompt alone. What it has to keep it keeps where the policy lets it, in the
memory.

Served over HTTP for trials: ``COHABIT_DATA_DIR=… python -m tests.model_double
tests.robot_doubles.llamar:answers``.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from episodes.dataset import read_dataset
from server.robots.expert.goals import plan
from server.robots.models import ModelAnswer, ModelRequest
from server.robots.models.recording import prompt_text
from server.robots.scripted import Put
from server.sessions.core import SessionCore
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.simulators.household import HouseholdSimulator, HouseLibrary
from tests.model_double import Asked, Reply
from tests.robot_doubles.telling import told
from tests.server.robots.policies.good_planner import MOST_PARTS, Wish, wishes_of

_KNOWN = re.compile(
    r"^(\w+): (?:(\w+) in \w+|(held by .*?)|unknown in .*?)(?:\. States: (.*))?$", re.M
)
_PLACED = re.compile(r"(?:Place|Rearrange)\[(\w+), \w+, (\w+), ")
_ROLES = (
    ("You keep track", "all"),
    ("You keep the list", "planner"),
    ("You decide", "actor"),
    ("You find out why", "corrector"),
    ("You check which", "verifier"),
)


class LlamarDouble:
    """``plans`` is by instruction; the calls that will do as well by the call that is best."""

    def __init__(self, plans: dict[str, list[Wish]], instead: dict[str, list[str]]) -> None:
        self.plans = plans
        self.instead = instead
        self.requests: list[ModelRequest] = []

    @classmethod
    def for_tasks(cls, cores: Iterable[SessionCore]) -> LlamarDouble:
        plans: dict[str, list[Wish]] = {}
        instead: dict[str, list[str]] = {}
        for core in cores:
            plans[core.task_text] = wishes_of(core)
            instead |= _others(core, plans[core.task_text])
        return cls(plans, instead)

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        self.requests.append(request)
        prompt = prompt_text(request)
        text = self.answer(prompt)
        return told("llamar double", prompt, text)

    def answer(self, prompt: str) -> str:
        wishes = next(w for task, w in self.plans.items() if f"Task: {task}\n" in prompt)
        role = min(
            ((prompt.find(f"\n\n{start}"), role) for start, role in _ROLES
             if f"\n\n{start}" in prompt)
        )[1]  # fmt: skip
        told = _Told(wishes, prompt, self.instead)
        parts = {
            "planner": told.plans, "actor": told.acts, "corrector": told.corrects,
            "verifier": told.verifies, "all": told.does_all,
        }  # fmt: skip
        return json.dumps(parts[role]())


def _others(core: SessionCore, wishes: list[Wish]) -> dict[str, list[str]]:
    """Where else a thing may be put."""
    names = core.names.graph
    found: dict[str, list[str]] = {}
    for goal, wish in zip(plan(core), wishes, strict=True):
        puts = [way[-1] for way in goal.ways[1:] if isinstance(way[-1], Put)]
        found[wish.call] = [
            f"Rearrange[{wish.thing}, {put.relation}, {names[put.target]}, none, none]"
            for put in puts
            if put.relation != "floor" and put.target in names
        ]
    return found


def subtask_of(wish: Wish, number: int) -> str:
    """Numbered, because a task may want the same twice."""
    tool, _, inner = wish.call.partition("[")
    if tool != "Rearrange":
        words = {"Clean": "wash", "Fill": "fill", "PowerOn": "switch on", "PowerOff": "switch off"}
        return f"{number}: {words[tool]} {wish.thing}"
    _, relation, where, _, near = inner.removesuffix("]").split(", ")
    beside = "" if near == "none" else f" next to {near}"
    return f"{number}: put {wish.thing} {relation} {where}{beside}"


class _Told:
    """What can be read out of one prompt."""

    def __init__(self, wishes: list[Wish], prompt: str, instead: dict[str, list[str]]) -> None:
        self.wishes = wishes
        self.instead = instead
        self.system, _, rest = prompt.partition("\nTask: ")
        self.fields = f"Task: {rest}"
        self.subtasks = [subtask_of(wish, n) for n, wish in enumerate(wishes)]
        self.completed = self._list("Completed subtasks")
        self.open = self._list("Open subtasks")
        self.memory = self._line("Memory: ")
        self.where = {m[1]: m for m in _KNOWN.finditer(self.fields.partition("\nObjects")[2])}
        self.seen_acts = self._line("Seen of the ", inside=True)
        self.labels = re.findall(r"^- (\w+) action: ", self.system, re.M) or re.findall(
            r"^- (\w+) cause: ", self.system, re.M
        )
        self.now_open = [n for n, s in enumerate(self.subtasks) if s not in self.completed]

    def _line(self, start: str, *, inside: bool = False) -> str:
        found = re.search(rf"{'' if inside else '^'}{re.escape(start)}(.*)$", self.fields, re.M)
        return found[1] if found else ""

    def _list(self, heading: str) -> list[str]:
        line = self._line(f"{heading}: ")
        return list(json.loads(line)) if line else []

    # The modules

    def plans(self) -> dict[str, object]:
        return {"reason": "I go through the task.", "plan": self._still()}

    def verifies(self) -> dict[str, object]:
        return {"reason": "I trust what succeeded.", "completed": self._done()}

    def corrects(self) -> dict[str, object]:
        found: dict[str, object] = {}
        for label in self.labels:
            tried, result = self._last(label)
            call = "none" if result.startswith("Success") else self._help(tried, result)
            found[f"{label} cause"] = "none" if call == "none" else "It did not work like that."
            found[f"{label} correction"] = call
        return found

    def acts(self) -> dict[str, object]:
        acting: dict[str, object] = {}
        taken: set[str] = set()
        chosen = {}
        explores = False
        for label in self.labels:
            n, call = self._next(label, taken, explores=explores)
            explores = explores or call == "Explore[]"
            chosen[label] = (n, call)
        if any(call == "Done[]" for _, call in chosen.values()):
            chosen = dict.fromkeys(self.labels, (None, "Done[]"))
        for label, (n, call) in chosen.items():
            if "subtask" in self.system:
                acting[f"{label} subtask"] = "none" if n is None else self.subtasks[n]
            acting[f"{label} action"] = call
        notes = {"failure": "none", "memory": self._remembered(), "reason": "I go on."}
        return {k: v for k, v in notes.items() if f"\n- {k}: " in self.system} | acting

    def does_all(self) -> dict[str, object]:
        completed = self._done()
        self.completed += completed
        self.now_open = [n for n in self.now_open if self.subtasks[n] not in completed]
        first = {"review": "I look at it.", "completed": completed, "plan": self._still()}
        return first | self.acts()

    # What they find

    def _still(self) -> list[str]:
        return [self.subtasks[n] for n in self.now_open]

    def _done(self) -> list[str]:
        """Open subtasks that what was done, or what is seen, speaks for."""
        done: list[str] = []
        for n in self.now_open:
            wish = self.wishes[n]
            if any(self.subtasks[i] not in (*self.completed, *done) for i in wish.needs):
                continue
            if self.subtasks[n] in self.open and self._is_done(wish):
                done.append(self.subtasks[n])
        return done

    def _is_done(self, wish: Wish) -> bool:
        deeds = [
            c for c, result in map(self._last, ("robot", "person")) if result.startswith("Suc")
        ]
        deeds += re.findall(r"\w+\[[^\]]*\]", self.seen_acts)
        if wish.state:
            found = self.where.get(wish.thing)
            return wish.call in deeds or (found is not None and wish.state in found[0])
        right = {(wish.thing, where) for where in self._targets(wish)}
        return any(set(_PLACED.findall(deed)) & right for deed in deeds)

    def _targets(self, wish: Wish) -> list[str]:
        """The furniture that will do."""
        calls = [wish.call, *self.instead.get(wish.call, ())]
        return [found[1] for call in calls for found in _PLACED.findall(call)]

    def _wanted(self, wish: Wish) -> str:
        """The call that brings it about: the best, or where no room was found the next."""
        calls = [wish.call, *self.instead.get(wish.call, ())]
        full = self._full()
        free = [c for c in calls if f"{wish.thing} on {_where(c)}" not in full]
        return free[0] if free else wish.call

    def _full(self) -> list[str]:
        """Where there was no room, for which thing."""
        found = re.findall(r"no room for (\w+ on \w+)\.", self.memory)
        for label in self.labels:
            tried, result = self._last(label)
            if _is_full(tried, result, self._openings()) and (placed := _PLACED.findall(tried)):
                found.append(" on ".join(placed[0]))
        return list(dict.fromkeys(found))

    def _last(self, label: str) -> tuple[str, str]:
        """What a body tried, and what came of it."""
        line = re.search(rf"^The {label} tried (.*?)\. Result: (.*)$", self.fields, re.M)
        return (line[1], line[2]) if line else ("", "")

    def _held(self, label: str) -> str:
        found = re.search(rf"^The {label} is in \w.* and holds (\w+)\.", self.fields, re.M)
        return found[1] if found else "nothing"

    def _help(self, tried: str, result: str) -> str:
        """The call that puts a failure right, as far as one can tell."""
        tool, _, inner = tried.partition("[")
        names = inner.removesuffix("]").split(", ")
        if tool == "Place" and "Not close enough" in result:
            return f"Navigate[{names[2]}]"
        if tool == "Place" and "No valid placements" not in result:
            return f"Open[{names[2]}]"
        if "No valid" in result and not _is_full(tried, result, self._openings()):
            return f"Open[{names[2]}]"
        if "No valid placements" in result and tool == "Rearrange":
            wish = next(w for w in self.wishes if w.thing == names[0] and _PLACED.match(w.call))
            other = self._wanted(wish)
            return other if other != tried else f"Rearrange[{', '.join(names[:3])}, none, none]"
        if "No valid placements" in result and "next_to" in tried:
            return f"Place[{', '.join(names[:3])}, none, none]"
        place = self._place(names[0])
        if tool == "Pick" and "closed" in result and place:
            return f"Open[{place}]"
        if grasped := re.search(r"currently grasping (\w+)\.", result):
            return f"Place[{grasped[1]}, on, {place}, none, none]" if place else "none"
        if tool == "Pick":
            return f"Navigate[{names[0]}]"
        return "none"

    def _place(self, thing: str) -> str:
        """Where it is, by the list or the memory; "held" in a hand, empty: not known."""
        found = self.where.get(thing)
        if found is not None:
            return "held" if found[3] else found[2] or "somewhere"
        noted = re.search(rf"\b{thing} at (\w+)\.", self.memory)
        return noted[1] if noted else ""

    def _remembered(self) -> str:
        """Where the things of the task are, and what has been opened and how often."""
        places = {w.thing: self._place(w.thing) for w in self.wishes if not w.is_furniture}
        notes = [f"{thing} at {place}." for thing, place in places.items() if place]
        notes += [f"no room for {where}." for where in self._full()]
        notes += [f"{name} opened {times} times." for name, times in self._openings().items()]
        return " ".join(notes) or "none"

    def _openings(self) -> dict[str, int]:
        """How often what was opened, by the memory and what was tried last."""
        noted = re.findall(r"(\w+) opened (\d+) times", self.memory)
        counts = Counter({name: int(times) for name, times in noted})
        for label in self.labels:
            tried, _ = self._last(label)
            if tried.startswith("Open["):
                counts[tried[5:-1]] += 1
        return counts

    def _next(self, label: str, taken: set[str], *, explores: bool) -> tuple[int | None, str]:
        """The subtask that a body is on, and its next call."""
        if not self.now_open:
            return None, "Done[]"
        advice = re.search(rf"Suggested for the {label}: (.*)$", self.fields, re.M)
        theirs = {self.wishes[n].thing for n in self.now_open if self.wishes[n].for_people}
        held = self._held(label)
        # What is in the hand first.
        for n in sorted(self.now_open, key=lambda n: (self.wishes[n].thing != held, n)):
            wish = self.wishes[n]
            if wish.needs & set(self.now_open) or wish.thing in taken:
                continue
            is_theirs = wish.thing in theirs
            if (is_theirs and label == "robot") or (not is_theirs and self.labels == ["person"]):
                continue
            if self._place(wish.thing) == "held" and held != wish.thing:
                continue
            call = self._towards(wish, label)
            if call == "Explore[]" and explores:
                continue
            taken.add(wish.thing)
            if advice and advice[1] != "none":
                return n, advice[1]
            return n, call
        return None, "Wait[]"

    def _towards(self, wish: Wish, label: str) -> str:
        last, result = self._last(label)
        place = self._place(wish.thing)
        if not place and not wish.is_furniture:
            return self._open_up(wish.shut_in, last, result) if wish.shut_in else "Explore[]"
        wanted = self._wanted(wish)
        if wanted.startswith("Rearrange[") and "Rearrange[" in self.system:
            return wanted
        walk = f"Navigate[{wish.thing}]"
        at = _where(wanted)
        if wish.call.startswith(("Clean[", "Fill[")) and not wish.is_furniture:
            # In the hand, at a tap.
            at = re.findall(r"have a faucet: (\w+)", self.fields)[0]
        elif not wish.call.startswith("Rearrange["):
            return wish.call if last == walk else walk
        if place == "held":
            arrived = last in (f"Navigate[{at}]", f"Open[{at}]") and result.startswith("Success")
            return wanted.replace("Rearrange", "Place") if arrived else f"Navigate[{at}]"
        arrived = last == walk or last.startswith("Open[")
        return f"Pick[{wish.thing}]" if arrived else walk

    def _open_up(self, furniture: str, last: str, result: str) -> str:
        """Until what lies in it is seen; from elsewhere one may see more."""
        walk, pull, shut = (f"{tool}[{furniture}]" for tool in ("Navigate", "Open", "Close"))
        if self._openings().get(furniture, 0) < MOST_PARTS and "already" not in result:
            return pull if last in (walk, pull, shut) else walk
        if self._openings().get(furniture, 0) % 4 == 3:
            return "Explore[]"
        return {walk: shut, shut: pull}.get(last, walk)


def _where(call: str) -> str:
    """The furniture of a placing; else empty."""
    placed = _PLACED.findall(call)
    return str(placed[0][1]) if placed else ""


def _is_full(tried: str, result: str, openings: dict[str, int]) -> bool:
    """Whether there was no room; what could not be put within may also be closed."""
    if "No valid placements" not in result:
        return False
    return tried.startswith("Rearrange") or " within," not in tried or _where(tried) in openings


@cache
def _served() -> LlamarDouble:
    """For all tasks of the data directory."""
    data = Path(os.environ["COHABIT_DATA_DIR"])
    library = HouseLibrary(data)
    cores = []
    for path in sorted((data / "tasks").glob("*.json.gz")):
        for episode in read_dataset(path):
            spec = EpisodeSpec("epi_1", "any", episode.episode_id)
            pair = SessionSpec.pair("ses_1", 1)
            cores.append(SessionCore(pair, spec, episode, HouseholdSimulator(library)))
    double = LlamarDouble.for_tasks(cores)
    for core in cores:
        core.close()
    return double


def answers(asked: Asked) -> Reply:
    return Reply(_served().answer(asked.prompt))

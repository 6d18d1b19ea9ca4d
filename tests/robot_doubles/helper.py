"""Model double for ``helper`` that writes good programs.

It knows how each task is solved, and writes what the prompt's language allows.
Over HTTP it answers through `tests.robot_doubles.served`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from episodes.catalogue.table import OBJECT_CLASSES
from episodes.names import floor_key
from server.robots.baselines.expert.goals import Goal, plan
from server.robots.baselines.scripted_player import Change, Put
from server.robots.models import ModelAnswer, ModelRequest
from server.robots.models.call_record import prompt_text
from server.sessions.core import SessionCore
from tests.robot_doubles.knowledge import may_be_shut_in, room_told
from tests.robot_doubles.model_answer import model_answer

_VERBS = {"clean": "wash", "fill": "fill", "power_on": "switch_on", "power_off": "switch_off"}
INPUT = re.compile(
    r'^(?:Conversation|Task|Goal and steps|Out of place|Input|The whole task): (".*")$', re.M
)
REPORT = "The program for it, and what has become of it:\n"
DECLARED = re.compile(r'^(\w+) = \w+\("(\w+)"', re.M)
UNDONE = re.compile(r"^(\w+)\.(\w+)\(.*# not done yet$", re.M)
SAID = re.compile(r'^[A-Z][\w ]*: ".*"$', re.M)
END = "\nEND"


@dataclass(frozen=True)
class Aim:
    """A goal to bring about, in names of the home."""

    verb: str
    thing: str
    other: str = ""
    beside: str = ""
    after_others: bool = False
    """Whether something with another thing has to be done before."""
    instead: str = ""
    """Other furniture that will do as well."""


@dataclass(frozen=True)
class Brief:
    """Knowledge that the double has of one task."""

    aims: tuple[Aim, ...]
    rooms: dict[str, str]
    """Room of each piece of furniture, and of each thing whose room the instruction names."""
    may_be_in: dict[str, list[str]]
    """Furniture that can be opened by thing, the likeliest first."""
    called: dict[str, str]
    """Names, by what people call rooms, furniture and things."""


def brief_of(core: SessionCore) -> Brief:
    names = core.names.graph
    goals = plan(core)
    aims = [aim for n in range(len(goals)) if (aim := _aim(core, goals, n)) is not None]
    rooms = {}
    for furniture in core.simulator.scene.furniture:
        rooms[names[furniture.handle]] = names[furniture.room_id]
    for room in core.simulator.scene.rooms:
        rooms[names[floor_key(room.room_id)]] = names[room.room_id]
    may_be_in = {}
    for handle in core.world.objects:
        may_be_in[names[handle]] = [names[f] for f in may_be_shut_in(core, handle)]
        told = room_told(core, handle)
        if told is not None:
            rooms[names[handle]] = names[told]
    labels = core.names.labels
    called = {labels[k]: names[k] for k in labels}
    return Brief(tuple(aims), rooms, may_be_in, called)


def _aim(core: SessionCore, goals: list[Goal], number: int) -> Aim | None:
    goal, names = goals[number], core.names.graph
    waits = any(goals[n].thing != goal.thing for n in goal.needs)
    thing = names[goal.thing]
    aim = None
    for step in goal.ways[0]:
        match step:
            case Change(verb, _):
                aim = Aim(_VERBS[verb], thing, after_others=waits)
            case Put(target, relation, near):
                beside = "" if near is None else names[near]
                if relation == "floor" and not target:
                    aim = Aim("bring_next_to", thing, beside, "", waits)
                    continue
                key = floor_key(target) if relation == "floor" else target
                how = "bring_into" if relation == "within" else "bring_onto"
                more = [w[-1] for w in goal.ways[1:] if isinstance(w[-1], Put)]
                other = next((names[p.target] for p in more if p.target not in ("", target)), "")
                aim = Aim(how, thing, names[key], beside, waits, other)
    return aim


class HelperDouble:
    """Model double with ``briefs`` by instruction; without ``hints`` programs name no places."""

    def __init__(self, briefs: dict[str, Brief], *, hints: bool = True) -> None:
        self.briefs = briefs
        self.hints = hints
        self.requests: list[ModelRequest] = []

    @classmethod
    def for_tasks(cls, cores: Iterable[SessionCore], *, hints: bool = True) -> HelperDouble:
        return cls({core.task_text: brief_of(core) for core in cores}, hints=hints)

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        self.requests.append(request)
        prompt = prompt_text(request)
        text = self.answer(prompt)
        return model_answer("helper double", prompt, text)

    def answer(self, prompt: str) -> str:
        instruction = json.loads(INPUT.findall(prompt)[-1])
        return answer(prompt, self.briefs[instruction], hints=self.hints)


def answer(prompt: str, brief: Brief, *, hints: bool) -> str:
    """Answer in whatever form is asked for."""
    if "Your partner has answered a question" in prompt:
        return _read_answer(prompt, brief)
    if "You may ask your partner one question" in prompt:
        return str(re.findall(r'^ask_where\(".*?"\)', prompt, re.M)[0]) + END
    if "\nLooked for: " in prompt:
        return _places(prompt, brief)
    if "A line of a program failed." in prompt:
        return _repair(prompt, brief)
    if REPORT in prompt:
        brief = replace(brief, aims=_left(prompt, brief))
    return _program(prompt, brief, hints)


def _left(prompt: str, brief: Brief) -> tuple[Aim, ...]:
    """Return the aims that the last line of chat names, and those of lines not done yet."""
    report, _, talk = prompt.rpartition(REPORT)[2].partition("\nSaid since then:\n")
    said = [found for found in SAID.findall(talk) if not found.startswith("You: ")]
    news = said[-1].lower() if said else ""
    stems = {name: _stem(word) for name, word in DECLARED.findall(report)}
    still = Counter((verb, stems.get(name)) for name, verb in UNDONE.findall(report))
    kept = []
    for aim in reversed(brief.aims):
        line = (aim.verb, _stem(aim.thing))
        if _is_named(aim.thing, news) or still[line] > 0:
            kept.append(aim)
            still[line] -= 1
    return tuple(reversed(kept))


def _is_named(name: str, said: str) -> bool:
    kind = _stem(name)
    row = OBJECT_CLASSES.get(kind)
    return kind.replace("_", " ") in said or (row is not None and row.noun in said)


def _stem(name: str) -> str:
    stem, _, number = name.rpartition("_")
    return stem if number.isdigit() else name


def _program(prompt: str, brief: Brief, hints: bool) -> str:
    has_names = "\nFurniture:\n" in prompt
    has_barrier = "wait_until_done()   " in prompt
    declared: dict[str, str] = {}
    lines: list[str] = []

    def variable(name: str) -> str:
        if name not in declared:
            word = _word(name, has_names, brief)
            room = brief.rooms.get(name, "")
            is_thing = name in brief.may_be_in
            near = (room if has_names else _stem(room)) if is_thing or not has_names else ""
            stem = _stem(word)
            own = sum(_stem(_word(n, has_names, brief)) == stem for n in declared) + 1
            declared[name] = stem if own == 1 else f"{stem}_{own}"
            is_told = near and (hints or not is_thing)
            hint = f', near="{near}"' if is_told else ""
            lines.append(f'{declared[name]} = Thing("{word}"{hint})')
        return declared[name]

    for aim in brief.aims:
        if aim.after_others and has_barrier:
            lines += ["# First what stands above.", "wait_until_done()"]
        thing = variable(aim.thing)
        other = variable(aim.other) if aim.other else ""
        beside = f", beside={variable(aim.beside)}" if aim.beside else ""
        lines.append(f"{thing}.{aim.verb}({other}{beside})")
    return "\n".join(lines or ["do_nothing()"]) + END


def _word(name: str, has_names: bool, brief: Brief) -> str:
    """Return the word for a thing: its class until it is found, its name where that is told.

    Furniture has a name from the start, if the prompt tells it.
    """
    if name.startswith("floor_"):
        return name if has_names else "floor"
    return name if has_names and name not in brief.may_be_in else _stem(name)


def _places(prompt: str, brief: Brief) -> str:
    what = re.findall(r"^Looked for: (\w+)$", prompt, re.M)[-1]
    has_names = "\nFurniture:\n" in prompt
    names = [n for n in brief.may_be_in if what in (n, _stem(n)) and f"\n{n}: " not in prompt]
    places = [brief.rooms[n] for n in names if n in brief.rooms]
    places += [f for n in names for f in brief.may_be_in[n]]
    places += [f for f in brief.rooms if f not in brief.may_be_in and not f.startswith("floor_")]
    chosen = list(dict.fromkeys(p if has_names else _stem(p) for p in places))[:3]
    return ", ".join((chosen * 3)[:3]) + END


def _repair(prompt: str, brief: Brief) -> str:
    code = prompt.rpartition("Failed:\n")[2].partition("\nError: ")[0]
    error = prompt.rpartition("\nError: ")[2]
    *declared, line = code.splitlines()
    thing = line.partition(".")[0]
    about = re.search(r"\((\w+)", line)
    target = about[1] if about else thing
    told = "It did not work as it was."
    more: list[str] = []
    if "closed furniture" in error:
        told = "It is shut in."
        word = re.search(rf'^{thing} = Thing\("(\w+)"', code, re.M)
        found = re.findall(rf"^{word[1] if word else thing}(?:_\d+)?: (\w+) in", prompt, re.M)
        if found:
            more = [f'{_stem(found[-1])}_9 = Thing("{found[-1]}")', f"{_stem(found[-1])}_9.open()"]
    elif "No valid placements" in error and "beside" not in line and "next_to" not in line:
        told = "There is no room left."
        place = re.search(rf'^{target} = Thing\("(\w+)"', code, re.M)
        name = place[1] if place else ""
        other = next((a.instead for a in brief.aims if a.other == name and a.instead), "")
        other = other or (f"floor_{brief.rooms[name]}" if name in brief.rooms else "")
        if other:
            new = f"{_stem(other)}_9"
            more = [f'{new} = Thing("{other}")']
            line = line.replace(f"({target})", f"({new})")
    elif "lose enough" in error or "occluded" in error or "too far" in error:
        told = "It is out of reach from here."
        more = [f"{target}.other_viewpoint()"]
    return f"Explain: {told}\n" + "\n".join([*declared, *more, line]) + END


def _read_answer(prompt: str, brief: Brief) -> str:
    said = json.loads(re.findall(r'^Answer: (".*")$', prompt, re.M)[-1]).lower()
    # The longest first: "table 2" is not "table".
    told = [c for c in brief.called if re.search(rf"\b{re.escape(c)}\b", said)]
    told.sort(key=len, reverse=True)
    found = [c for n, c in enumerate(told) if not any(c in longer for longer in told[:n])]
    has_names = "\nFurniture:\n" in prompt
    lines = []
    # Things before furniture before rooms.
    for name in sorted((brief.called[c] for c in found), key=_rank(brief)):
        if name not in brief.may_be_in:
            lines.append(f'look_at("{name if has_names else _stem(name)}")')
        elif f"\n{name}: " in prompt:
            lines.append(f'take("{name}")')
    return "\n".join(lines[:3] or ["no_idea()"]) + END


def _rank(brief: Brief) -> Callable[[str], int]:
    return lambda name: 0 if name in brief.may_be_in else 1 if name in brief.rooms else 2

"""Reasoning of a well-planning model for ``llamar``, over one prompt.

It knows what the task wants, and reads how that stands from the prompt alone.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable

from tests.robot_doubles.partnr import MOST_PARTS, Wish
from tests.robot_doubles.prompt_reader import LISTED

TRIES = 3
"""Attempts of a robot at taking a thing before it leaves it to the person."""
_PLACED = re.compile(r"(?:Place|Rearrange)\[(\w+), \w+, (\w+), ")


def subtask_of(wish: Wish, number: int) -> str:
    """Return a wish as a subtask, numbered because a task may want the same twice."""
    tool, _, inner = wish.call.partition("[")
    if tool != "Rearrange":
        words = {"Clean": "wash", "Fill": "fill", "PowerOn": "switch on", "PowerOff": "switch off"}
        return f"{number}: {words[tool]} {wish.thing}"
    _, relation, where, _, near = inner.removesuffix("]").split(", ")
    beside = "" if near == "none" else f" next to {near}"
    return f"{number}: put {wish.thing} {relation} {where}{beside}"


class Mind:
    """Contents of one prompt, as far as they can be read out."""

    def __init__(self, wishes: list[Wish], prompt: str, instead: dict[str, list[str]]) -> None:
        self.wishes = wishes
        self.instead = instead
        self.system, _, rest = prompt.partition("\nTask: ")
        self.fields = f"Task: {rest}"
        self.subtasks = [subtask_of(wish, n) for n, wish in enumerate(wishes)]
        self.completed = self._list("Completed subtasks")
        self.open = self._list("Open subtasks")
        self.memory = self._line("Memory: ")
        self.where = {m[1]: m for m in LISTED.finditer(self.fields.partition("\nObjects")[2])}
        self.seen_acts = "\n".join(re.findall(r"Seen of .*$", self.fields, re.M))
        self.labels = re.findall(r"^- ([\w ]+) action: ", self.system, re.M) or re.findall(
            r"^- ([\w ]+) cause: ", self.system, re.M
        )
        self.has_person = any(label.startswith("person") for label in self.labels)
        alone = re.search(r"You decide for \w+ (\d) alone", self.system)
        self.first = int(alone[1]) - 1 if alone else 0
        """Number among its kind of a body that decides for itself: each begins elsewhere."""
        if "Completed subtasks: " not in self.fields:
            # The Actor alone: what is done stands in the trace.
            self.open = list(self.subtasks)
            self.completed = self._done(range(len(wishes)))
        self.now_open = [n for n in range(len(wishes)) if not self._is_completed(n)]

    def _is_completed(self, number: int) -> bool:
        """Tell whether a subtask is completed, in our words or those of an onlooker."""
        if self.subtasks[number] in self.completed:
            return True
        wish = self.wishes[number]
        if wish.state:
            word = wish.state.partition(":")[0]
            return f"{wish.thing} is {word.replace('_', ' ')}" in self.completed
        if self._place(wish.thing) == "held":
            # In the right room, and not put down.
            return False
        # Each placing that the task wants of a thing is told when it is there.
        told = [c for c in self.completed if re.match(rf"{wish.thing} is (on|within|in) ", c)]
        before = [n for n, w in enumerate(self.wishes[:number])
                  if w.thing == wish.thing and not w.state]  # fmt: skip
        return len(told) > len(before)

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
        return {"reason": "I trust what succeeded.", "completed": self._done(self.now_open)}

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
        seeks = False
        # People see more from where they stand, and can do more: they choose first.
        for label in sorted(self.labels):
            n, call = self._next(label, taken, seeks=seeks)
            seeks = seeks or call == "Explore[]"
            chosen[label] = (n, call)
        if any(call == "Done[]" for _, call in chosen.values()):
            chosen = dict.fromkeys(self.labels, (None, "Done[]"))
        for label in self.labels:
            n, call = chosen[label]
            if "subtask" in self.system:
                acting[f"{label} subtask"] = "none" if n is None else self.subtasks[n]
            acting[f"{label} action"] = call
        for label in re.findall(r"^- ([\w ]+) suggestion: ", self.system, re.M):
            acting[f"{label} suggestion"] = self._advice(label)
        notes = {"failure": "none", "memory": self._remembered(), "reason": "I go on."}
        return {k: v for k, v in notes.items() if f"\n- {k}: " in self.system} | acting

    def does_all(self) -> dict[str, object]:
        completed = self._done(self.now_open)
        self.completed += completed
        self.now_open = [n for n in self.now_open if self.subtasks[n] not in completed]
        first = {"review": "I look at it.", "completed": completed, "plan": self._still()}
        return first | self.acts()

    # What they find

    def _still(self) -> list[str]:
        return [self.subtasks[n] for n in self.now_open]

    def _done(self, among: Iterable[int]) -> list[str]:
        """Return the open subtasks that are done, by what was done or what is seen."""
        done: list[str] = []
        for n in among:
            wish = self.wishes[n]
            if any(self.subtasks[i] not in (*self.completed, *done) for i in wish.needs):
                continue
            if self.subtasks[n] in self.open and self._is_done(wish):
                done.append(self.subtasks[n])
        return done

    def _is_done(self, wish: Wish) -> bool:
        deeds = [
            c
            for c, result in re.findall(r" tried (.*?)\. Result: (.*)$", self.fields, re.M)
            if result.startswith("Suc")
        ]
        deeds += re.findall(r"\w+\[[^\]]*\]", self.seen_acts)
        deeds += re.findall(r"^(\w+\[[^\]]*\]): Success", self.fields, re.M)
        if wish.state:
            found = self.where.get(wish.thing)
            return wish.call in deeds or (found is not None and wish.state in found[0])
        right = {(wish.thing, where) for where in self._targets(wish)}
        return any(set(_PLACED.findall(deed)) & right for deed in deeds)

    def _targets(self, wish: Wish) -> list[str]:
        """Return the furniture that will do for a wish."""
        calls = [wish.call, *self.instead.get(wish.call, ())]
        return [found[1] for call in calls for found in _PLACED.findall(call)]

    def _wanted(self, wish: Wish) -> str:
        """Return the call that brings a wish about: the best one for which there is room."""
        calls = [wish.call, *self.instead.get(wish.call, ())]
        full = self._full()
        free = [c for c in calls if f"{wish.thing} on {_where(c)}" not in full]
        return free[0] if free else wish.call

    def _full(self) -> list[str]:
        """Return the places that had no room, each with the thing that was put there."""
        found = re.findall(r"no room for (\w+ on \w+)\.", self.memory)
        for label in self.labels:
            tried, result = self._last(label)
            if _is_full(tried, result, self._openings()) and (placed := _PLACED.findall(tried)):
                found.append(" on ".join(placed[0]))
        return list(dict.fromkeys(found))

    def _last(self, label: str) -> tuple[str, str]:
        """Return what a body tried, and what came of it."""
        line = re.search(rf"^(?:The )?(?i:{label}) tried (.*?)\. Result: (.*)$", self.fields, re.M)
        return (line[1], line[2]) if line else ("", "")

    def _held(self, label: str) -> str:
        found = re.search(
            rf"^(?:The )?(?i:{label}) is in \w.* and holds (\w+)\.", self.fields, re.M
        )
        return found[1] if found else "nothing"

    def _help(self, tried: str, result: str) -> str:
        """Return the call that puts a failure right, as far as one can tell."""
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
        if tool == "Pick" and ("closed" in result or ": open the " in result) and place:
            return f"Open[{place}]"
        if grasped := re.search(r"currently grasping (\w+)\.", result):
            return f"Place[{grasped[1]}, on, {place}, none, none]" if place else "none"
        if tool == "Pick":
            return f"Navigate[{names[0]}]"
        return "none"

    def _place(self, thing: str) -> str:
        """Return where a thing is, by the list or the memory.

        It is "held" in a hand, and empty where that is not known.
        """
        found = self.where.get(thing)
        if found is not None:
            return "held" if found[3] else found[2] or "somewhere"
        noted = re.search(rf"\b{thing} at (\w+)\.", self.memory)
        return noted[1] if noted else ""

    def _remembered(self) -> str:
        """Return notes on where the task's things are, and what has been opened and how often."""
        places = {w.thing: self._place(w.thing) for w in self.wishes if not w.is_furniture}
        notes = [f"{thing} at {place}." for thing, place in places.items() if place]
        notes += [f"no room for {where}." for where in self._full()]
        notes += [f"{name} opened {times} times." for name, times in self._openings().items()]
        notes += [f"{name} not taken {times} times." for name, times in self._in_vain().items()]
        notes += [f"nothing left to open at {name}." for name in self._all_open()]
        notes += [f"looked in {room}." for room in self._looked_in()]
        notes += [f"explored {times} times." for times in [self._explored()] if times]
        return " ".join(notes) or "none"

    def _openings(self) -> Counter[str]:
        """Count how often each thing was opened, by the memory and what was tried last."""
        noted = re.findall(r"(\w+) opened (\d+) times", self.memory)
        counts = Counter({name: int(times) for name, times in noted})
        for label in self.labels:
            tried, _ = self._last(label)
            if tried.startswith("Open["):
                counts[tried[5:-1]] += 1
        return counts

    def _next(self, label: str, taken: set[str], *, seeks: bool) -> tuple[int | None, str]:
        """Return the subtask and the next call of a body; ``seeks``: the other one explores."""
        if not self.now_open:
            return None, "Done[]"
        advice = re.search(rf"Suggested for (?:the )?{label}: (.*)$", self.fields, re.M)
        theirs = {self.wishes[n].thing for n in self.now_open if self.wishes[n].for_people}
        held = self._held(label)
        if held != "nothing" and held not in {self.wishes[n].thing for n in self.now_open}:
            return None, self._put_away(held, label)
        sought: int | None = None
        is_robot = label.startswith("robot")
        among = len(self.wishes)
        # What is in the hand first.
        for n in sorted(
            self.now_open,
            key=lambda n: (self.wishes[n].thing != held, (n - self.first) % among),
        ):
            wish = self.wishes[n]
            if wish.needs & set(self.now_open):
                continue
            if wish.thing in taken:
                if not self._place(wish.thing):
                    # Two find it sooner than one.
                    sought = n if sought is None else sought
                continue
            is_theirs = wish.thing in theirs
            if not is_theirs and len(self.labels) == 1 and self.has_person:
                continue
            if is_theirs and is_robot:
                # It cannot do that, but it can look for the thing.
                if self.has_person and not self._place(wish.thing):
                    sought = n if sought is None else sought
                continue
            if self._place(wish.thing) == "held" and held != wish.thing:
                continue
            if is_robot and self._in_vain().get(wish.thing, 0) >= TRIES:
                continue
            call = self._towards(wish, label)
            if call == "Explore[]" and (seeks or "- Explore[]: " not in self.system):
                sought = n if sought is None else sought
                continue
            taken.add(wish.thing)
            if advice and advice[1] != "none":
                return n, advice[1]
            return n, call
        left = [room for room in self._not_looked_in(label) if room not in taken]
        if sought is not None and left:
            # Only one of them explores; the other looks into rooms, from the other end.
            taken.add(left[-1])
            return sought, f"Navigate[{left[-1]}]"
        return None, "Wait[]"

    def _put_away(self, thing: str, label: str) -> str:
        """Return the call that puts what nobody wants any more beside a tap."""
        last, _ = self._last(label)
        tap = self._tap()
        is_there = last == f"Navigate[{tap}]" or last.startswith(("Clean[", "Fill["))
        return f"Place[{thing}, on, {tap}, none, none]" if is_there else f"Navigate[{tap}]"

    def _tap(self) -> str:
        return str(re.findall(r"have a faucet: (\w+)", self.fields)[0])

    def _not_looked_in(self, label: str) -> list[str]:
        """Return the rooms that no one has walked to, without the one where a body is."""
        rooms = re.findall(r"^(\w+_\d+): floor_", self.fields, re.M)
        here = re.search(rf"^(?:The )?(?i:{label}) is in (\w+) and", self.fields, re.M)
        been = {*self._looked_in(), here[1] if here else ""}
        return [room for room in rooms if room not in been]

    def _looked_in(self) -> list[str]:
        found = re.findall(r"looked in (\w+)\.", self.memory)
        rooms = re.findall(r"^(\w+_\d+): floor_", self.fields, re.M)
        for label in self.labels:
            last, _ = self._last(label)
            found += [room for room in rooms if last == f"Navigate[{room}]"]
        return list(dict.fromkeys(found))

    def _advice(self, label: str) -> str:
        """Return a call for the partner: one that only people can make."""
        if label.startswith("person"):
            for n in self.now_open:
                wish = self.wishes[n]
                if wish.for_people and wish.state and not wish.needs & set(self.now_open):
                    return wish.call if self._place(wish.thing) or wish.is_furniture else "none"
        return "none"

    def _towards(self, wish: Wish, label: str) -> str:
        last, result = self._last(label)
        place = self._place(wish.thing)
        if not place and not wish.is_furniture:
            return self._search(wish, label)
        wanted = self._wanted(wish)
        if wanted.startswith("Rearrange[") and "Rearrange[" in self.system:
            return wanted
        walk = f"Navigate[{wish.thing}]"
        at = _where(wanted)
        if wish.call.startswith(("Clean[", "Fill[")) and not wish.is_furniture:
            # In the hand, at a tap.
            at = self._tap()
        elif not wish.call.startswith("Rearrange["):
            return wish.call if last == walk else walk
        if place == "held":
            arrived = last in (f"Navigate[{at}]", f"Open[{at}]") and result.startswith("Success")
            return wanted.replace("Rearrange", "Place") if arrived else f"Navigate[{at}]"
        arrived = last == walk or last.startswith("Open[")
        return f"Pick[{wish.thing}]" if arrived else walk

    def _search(self, wish: Wish, label: str) -> str:
        """Return the next look for a thing: through the rooms, then into what can be opened."""
        if "\nMemory: " not in self.fields:
            return self._search_from_the_last(wish, label)
        rooms = re.findall(r"^(\w+_\d+): floor_", self.fields, re.M)
        if self._explored() + len(self._looked_in()) < len(rooms):
            return "Explore[]"
        openings, all_open = self._openings(), self._all_open()
        left = (f for f in wish.may_be_in if f not in all_open and openings[f] < MOST_PARTS)
        furniture = next(left, "")
        if not furniture:
            return "Explore[]"
        last, _ = self._last(label)
        walk, pull = f"Navigate[{furniture}]", f"Open[{furniture}]"
        return pull if last in (walk, pull) else walk

    def _search_from_the_last(self, wish: Wish, label: str) -> str:
        """Return the next look of a mind without a memory, which knows its last try only."""
        last, result = self._last(label)
        tool, _, inside = last.removesuffix("]").partition("[")
        if tool in ("Navigate", "Open") and inside in wish.may_be_in:
            if tool == "Navigate" or result.startswith("Success"):
                return f"Open[{inside}]"
            later = wish.may_be_in[wish.may_be_in.index(inside) + 1 :]
            return f"Navigate[{later[0]}]" if later else "Explore[]"
        is_in_vain = tool == "Explore" and result.endswith("new: nothing.")
        return f"Navigate[{wish.may_be_in[0]}]" if is_in_vain and wish.may_be_in else "Explore[]"

    def _explored(self) -> int:
        """Return how often somebody has explored, by the memory and what was tried last."""
        noted = re.search(r"explored (\d+) times", self.memory)
        return int(noted[1] if noted else 0) + sum(
            self._last(label)[0].startswith("Explore[") for label in self.labels
        )

    def _in_vain(self) -> dict[str, int]:
        """Count how often each thing could not be taken."""
        noted = re.findall(r"(\w+) not taken (\d+) times", self.memory)
        counts = Counter({name: int(times) for name, times in noted})
        for label in self.labels:
            tried, result = self._last(label)
            if tried.startswith("Pick[") and not result.startswith("Success"):
                counts[tried[5:-1]] += 1
        return counts

    def _all_open(self) -> list[str]:
        """Return the furniture that has nothing left to open."""
        found = re.findall(r"nothing left to open at (\w+)\.", self.memory)
        for label in self.labels:
            tried, result = self._last(label)
            if tried.startswith("Open[") and "already" in result:
                found.append(tried.partition("[")[2][:-1])
        return list(dict.fromkeys(found))


def _where(call: str) -> str:
    """Return the furniture of a placing; else empty."""
    placed = _PLACED.findall(call)
    return str(placed[0][1]) if placed else ""


def _is_full(tried: str, result: str, openings: dict[str, int]) -> bool:
    """Tell whether there was no room; what could not be put within may also be closed."""
    if "No valid placements" not in result:
        return False
    return tried.startswith("Rearrange") or " within," not in tried or _where(tried) in openings

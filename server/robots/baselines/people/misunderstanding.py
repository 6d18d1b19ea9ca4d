"""``person-misunderstanding``: has got something wrong, and believes it until it learns better."""

from __future__ import annotations

from server.robots.baselines.people.errands import Target
from server.robots.baselines.people.person import Person
from server.robots.baselines.people.requests import Line
from server.robots.baselines.people.settings import MisunderstandingSettings
from server.robots.policy import Decision, PastCall, PolicyView
from server.skills.call import Call

TRIES_IN_VAIN = 2


class Misunderstanding(Person):
    """A person with a wrong thing or a wrong place in mind, who acts on it and defends nothing.

    A mistake is taken back when somebody says so, when another moves what it has put there, or
    when it looks at the outcome at the end.
    """

    def __init__(self, settings: MisunderstandingSettings, seat: str) -> None:
        super().__init__("misunderstanding", seat, settings.seed)
        self.settings = settings
        self.mistaken: dict[int, str] = {}
        """The wrong place (furniture) or the wrong thing (object) of an errand, as it believes."""
        self.corrected: list[int] = []
        self._drawn = False
        self._satisfied: set[int] = set()
        """Mistakes that it has acted on: for it, they are done."""
        self._stubborn: set[int] = set()
        self._has_looked = False
        self._in_vain: dict[int, int] = {}

    def _draw(self, view: PolicyView) -> None:
        self._drawn = True
        # What others wait for cannot be mended once they are done: those it has understood.
        waited_for = frozenset[int]().union(*(errand.needs for errand in self.errands))
        puts = [
            n
            for n, e in enumerate(self.errands)
            if e.targets and e.targets[0].key and n not in waited_for
        ]
        for number in sorted(self.rng.sample(puts, min(self.settings.mistakes, len(puts)))):
            wrong = self._wrong_place(view, number)
            if wrong:
                self.mistaken[number] = wrong
                if self.rng.random() >= self.settings.rereads:
                    self._stubborn.add(number)

    def _wrong_place(self, view: PolicyView, number: int) -> str:
        """Draw another place of the same kind; where there is none, one in the same room."""
        graph, errand = view.graph, self.errands[number]
        right = errand.targets[0].key
        kind = graph.names.graph[right].rsplit("_", 1)[0]
        others = [f for f in graph.rooms if "|" not in f and f not in errand.accepts and f != right]
        alike = [f for f in others if graph.names.graph[f].rsplit("_", 1)[0] == kind]
        near = [f for f in others if graph.rooms[f] == graph.rooms[right]]
        among = alike or near
        return self.rng.choice(among) if among else ""

    def _wrong_thing(self, view: PolicyView, number: int) -> str:
        """Return a thing that it takes for the right one: of its kind, and no other errand's."""
        graph, errand = view.graph, self.errands[number]
        mine = {t for e in self.errands for t in e.things}
        alike = [
            h
            for h in graph.objects
            if h not in mine and graph.names.labels[h].rstrip(" 0123456789") == errand.word
        ]
        return min(alike, default="")

    def thing_of(self, view: PolicyView, number: int) -> str:
        right = super().thing_of(view, number)
        if number not in self.mistaken:
            return right
        return self._wrong_thing(view, number) or right

    def target_of(self, view: PolicyView, number: int) -> Target:
        right = super().target_of(view, number)
        if number not in self.mistaken or self.thing_of(view, number) != right_thing(self, number):
            # One thing at a time is mistaken: the wrong thing goes to the right place.
            return right
        return Target(self.mistaken[number], "on")

    def holds(self, view: PolicyView, number: int) -> bool:
        if not self._drawn:
            self._draw(view)
        if number not in self.mistaken:
            return super().holds(view, number)
        known = view.graph.objects.get(self.thing_of(view, number))
        if known is None:
            return False
        if known.place.kind == "furniture" and known.place.key == self.target_of(view, number).key:
            self._satisfied.add(number)
            return True
        return number in self._satisfied

    def _correct(self, number: int) -> None:
        self.mistaken.pop(number, None)
        self.corrected.append(number)
        self.done.discard(number)
        self.given_up.discard(number)
        self._tries.pop(number, None)

    def _about(self, line: Line) -> list[int]:
        named = {line.thing, line.place} - {""}
        return [
            n
            for n in self.mistaken
            if not named
            or named & {*self.errands[n].things, self.mistaken[n], self.errands[n].targets[0].key}
        ]

    def came_of(self, view: PolicyView, past: PastCall) -> None:
        """See that something cannot be meant: it does not go there, twice."""
        number = self.now
        if number is None or number not in self.mistaken or past.succeeded:
            return
        if isinstance(past.call, Call) and past.call.name == "Rearrange":
            self._in_vain[number] = self._in_vain.get(number, 0) + 1
            if self._in_vain[number] >= TRIES_IN_VAIN:
                self._correct(number)

    def heard(self, view: PolicyView, seat: str, line: Line) -> None:
        told = self._about(line) if line.is_no else []
        for number in told:
            self._correct(number)
        if told:
            self.say(view, "Oh, I see. I had got that wrong.", seat, self.answers_after_s)

    def agrees(self, view: PolicyView, seat: str, line: Line) -> str | None:
        # Who names the thing and the right place has said what was meant.
        for number in list(self.mistaken):
            errand = self.errands[number]
            named_right = line.place in errand.accepts or line.place == errand.targets[0].key
            if line.thing in errand.things and (named_right or line.is_no):
                self._correct(number)
        return "All right."

    def saw(self, view: PolicyView, seat: str, call: Call) -> None:
        if call.name != "Pick":
            return
        key = view.graph.find(call.thing)
        for number in list(self.mistaken):
            if number in self._satisfied and key == self.thing_of(view, number):
                self._correct(number)

    def lets_go(self, view: PolicyView) -> bool:
        """Stop when somebody says that what it does is wrong."""
        new = view.chat[self._heard :]
        return bool(self.mistaken) and any(
            said.seat != view.seat and said.text.lower().startswith(("no", "stop", "wrong"))
            for said in new
        )

    def habit(self, view: PolicyView) -> Decision | None:
        """Look at the outcome, once all seems done."""
        if self.undone() or not self.mistaken:
            return None
        if not self._has_looked:
            self._has_looked = True
            return self.rest(view, self.settings.looks_s)
        for number in [n for n in self.mistaken if n not in self._stubborn]:
            self._correct(number)
        return None


def right_thing(person: Person, number: int) -> str:
    """Return the thing that an errand is really about."""
    return person.errands[number].thing

"""``person-contrary``: refuses, does things the other way round, and takes away what was put."""

from __future__ import annotations

from server.robots.baselines.people.person import Person
from server.robots.baselines.people.requests import Line
from server.robots.baselines.people.settings import ContrarySettings
from server.robots.policy import Decision, Do, PolicyView
from server.skills.call import Call

NOES = ("No.", "Not now.", "Do it yourself.", "I would rather not.")


class Contrary(Person):
    """A person who wants the same end and agrees to nothing on the way there."""

    def __init__(self, settings: ContrarySettings, seat: str) -> None:
        super().__init__("contrary", seat, settings.seed)
        self.settings = settings
        self.refused = 0
        self.undid: list[str] = []
        self._theirs: list[str] = []
        """Things that others have put down, the latest last."""
        self._last: set[int] = set()
        """Errands that it was asked to do: it leaves them to the end."""

    def agrees(self, view: PolicyView, seat: str, line: Line) -> str | None:
        if line.skill == "Away":
            return "If you must."
        self.refused += 1
        self._last |= {n for n, e in enumerate(self.errands) if line.thing in e.things}
        return None

    def refusal(self, line: Line) -> str:
        return NOES[(self.refused - 1) % len(NOES)]

    def saw(self, view: PolicyView, seat: str, call: Call) -> None:
        key = view.graph.find(call.thing)
        if key is not None and key in self._theirs:
            self._theirs.remove(key)
        if key is not None and call.name == "Place":
            self._theirs.append(key)

    def prefers(self, view: PolicyView, ready: list[int]) -> int | None:
        return max(ready, key=lambda n: (n not in self._last, n))

    def habit(self, view: PolicyView) -> Decision | None:
        if len(self.undid) >= self.settings.undoes or view.graph.held(view.seat) is not None:
            return None
        here = [t for t in self._theirs if t in view.graph.objects and t not in self.undid]
        if not here:
            return None
        thing = here[-1]
        self._theirs.remove(thing)
        place = view.graph.objects[thing].place.key
        room = view.graph.rooms.get(place, "")
        near = [f for f in view.graph.furniture_of(room)[1:] if f != place] if room else []
        among = near or [f for f in view.graph.rooms if f != place and "|" not in f]
        if not among:
            return None
        self.undid.append(thing)
        names = view.graph.names.graph
        return Do(Call.putting("Rearrange", names[thing], "on", names[self.rng.choice(among)]))

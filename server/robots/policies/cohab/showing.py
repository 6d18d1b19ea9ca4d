"""Showing of ``cohab``: once all looks done, it calls its partner to what they have not seen.

A person who did not see a thing being put away looks for it in the whole home, though it is where
it belongs. So who worked in another room is asked over before they do.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from server.robots.policy import PolicyView

SHOW = "Could you come to the {place}, please? The {things} {verb} there."


@dataclass
class Showing:
    """Places where something was put while the partner was in another room."""

    unseen: dict[str, list[str]] = field(default_factory=dict)
    """Things by place, both handles, in the order in which they were put there."""
    shown: int = 0

    def fork(self) -> Showing:
        return Showing({place: list(things) for place, things in self.unseen.items()}, self.shown)

    def put(self, view: PolicyView, thing: str, place: str) -> None:
        """Take note of a thing that this seat has put down."""
        for things in self.unseen.values():
            if thing in things:
                things.remove(thing)
        room = view.graph.rooms.get(place)
        if room is not None and not _is_a_person_in(view, room):
            self.unseen.setdefault(place, []).append(thing)

    def moved(self, thing: str) -> None:
        """Take note that a partner has taken a thing: they know where it is."""
        for things in self.unseen.values():
            if thing in things:
                things.remove(thing)

    def line(self, view: PolicyView, most: int) -> str | None:
        """Return the line that calls the one partner to the next place; None: there is none.

        Several partners are not called together, and a robot has seen what it has seen.
        """
        if len(view.partners) != 1 or self.shown >= most:
            return None
        (partner,) = view.partners
        if partner.kind != "human" or not partner.is_at_work:
            return None
        labels = view.graph.names.labels
        while self.unseen:
            place = next(iter(self.unseen))
            things = [labels[thing] for thing in self.unseen.pop(place) if thing in labels]
            if things and place in labels:
                self.shown += 1
                verb = "is" if len(things) == 1 else "are"
                return SHOW.format(place=labels[place], things=" and the ".join(things), verb=verb)
        return None


def _is_a_person_in(view: PolicyView, room: str) -> bool:
    return any(
        p.kind == "human" and p.position is not None and view.graph.room_at(p.position) == room
        for p in view.partners
    )

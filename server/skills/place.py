"""The skill Place: put down what the hand holds, from where the body stands."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from episodes.names import floor_key
from server.sessions.intents import Intent
from server.sessions.placement import Spot, candidates
from server.skills.body import Body
from server.skills.errands import Relation, floor_spots, place_at, surfaces_for
from server.skills.feedback import (
    About,
    failure,
    far_to_place,
    no_placement,
    not_a_place,
    other_in_hand,
    refused,
)
from server.skills.navigate import room_of

SAMPLES = 100
WANTED = 10
"""The places among which PARTNR takes the nearest; it draws `SAMPLES` times at most."""
NOT_HOLDING = failure("Failed to place! The agent is not holding any object.")


class Placement:
    """A call of Place, on handles; names for texts come from the session."""

    def __init__(
        self, body: Body, thing: str, relation: Relation, target: str, next_to: str | None
    ) -> None:
        self.body = body
        self.thing = thing
        self.target = target
        self.next_to = next_to
        room = room_of(body, target)
        # A room is no place to put things; its floor is.
        self.room = room if room is not None and target == floor_key(room.room_id) else None
        self.relation: Relation = "floor" if self.room is not None else relation

    def run(self) -> Generator[list[Intent], None, str]:
        """Put it down, and return the reason of a failure as a whole response, or nothing."""
        body, core = self.body, self.body.core
        names, held = core.names.graph, self.body.held
        if held is None:
            return NOT_HOLDING
        if held != self.thing and not body.rules.allows("place_whatever_is_held"):
            return failure(other_in_hand(names[self.thing], names[held]))
        if self.room is None and self.target not in core.surfaces.of:
            return failure(not_a_place(names.get(self.target, self.target)))
        within: list[Spot] = []
        is_room_left = False
        for spot in self._spots(held):
            is_room_left = True
            if self._is_in_reach(held, spot):
                within.append(spot)
                if len(within) == WANTED:
                    break
        if not is_room_left:
            near = "" if self.next_to is None else names[self.next_to]
            return failure(no_placement(names[self.target], near))
        if not within:
            body.note_in_vain("spot_in_reach", self.target)
            return failure(far_to_place(names[self.target]))
        response = ""
        for spot in sorted(within, key=lambda s: core.view.reach_to(body.seat, s.point)):
            refusal = yield from body.ask(place_at(spot, body.next_id()))
            if refusal is None:
                return ""
            response = refused("place", refusal, About(names[self.target], names[held]))
        return response

    def _spots(self, held: str) -> Iterator[Spot]:
        """Draw free places, whether or not they can be reached from here."""
        body, view = self.body, self.body.core.view
        if self.room is not None:
            key = "" if self.room.contains(body.position) else self.target
            spots = floor_spots(body, held, key, self.next_to)
            return (s for s in spots if self.room.contains(s.point))
        surfaces = surfaces_for(body, self.target, self.relation, self.next_to)
        rng = body.rng_for(held, self.target, self.next_to or "")
        closed_too = "container_open" not in body.rules.verbs["place"]
        return candidates(
            view,
            held,
            surfaces,
            rng,
            next_to=self.next_to,
            samples=SAMPLES,
            wanted=SAMPLES,
            closed_too=closed_too,
        )

    def _is_in_reach(self, held: str, spot: Spot) -> bool:
        body, view = self.body, self.body.core.view
        if view.reach_to(body.seat, spot.point) > body.rules.reach_m:
            return False
        return view.sees_spot_from(view.eye(body.seat), held, spot.placement)

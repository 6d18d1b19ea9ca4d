"""Search for things that are not known yet, where they are most likely.

It goes piece of furniture by piece, so that what is seen on the way can be dealt with at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from episodes.catalogue.table import OBJECT_CLASSES
from episodes.names import floor_key
from server.robots.policies.cohab.goal_status import GoalStatus
from server.robots.policies.cohab.instruction_goals import classes_of, known_things
from server.robots.policies.cohab.moves import NO_GOAL, Move
from server.robots.policies.cohab.partner_model import Partners
from server.robots.policies.shared.walking_distances import Ways, flat
from server.robots.policy import PolicyView
from server.skills.call import Call

Prior = Literal["usual", "uniform"]
USUAL_M = 6.0
"""Detour that a room where a thing is usual is worth (m); usual furniture adds as much again."""
SAID_M = 15.0
"""Detour that a place named in the instruction is worth (m); other places come that much later."""
PASSED_M = 6.0
"""Extra cost of furniture that was only passed (m): it may have been seen from the wrong side."""
OPENING_M = 20.0
"""Cost of opening something, beside the way (m): most doors are opened in vain."""
UNUSUAL_M = 6.0
"""Extra cost of opening furniture where nothing that is missing is usual (m)."""
MOST_ROUNDS = 3
"""Search rounds through the home after which what is not found stays missing."""
MOST_DOORS = 8
SELDOM = frozenset(
    [
        "chair",
        "chest",
        "floor_lamp",
        "freezer",
        "fridge",
        "shower",
        "stool",
        "toilet",
        "tv",
        "wardrobe",
    ]
)
"""Furniture classes that things seldom lie on: looked at from close by only in a second round."""
SETTING_OUT_M = 6.0
"""Longest first walk where nothing that the instruction names is in sight (m)."""
NEARER_M = 8.0
"""Extra cost of furniture that one of several free partners is nearer to (m)."""
SEEN_M = 1.6
"""Distance within which a body has passed a piece of furniture (m)."""


def look_around(view: PolicyView, status: GoalStatus, ways: Ways, partners: Partners) -> None:
    """Record which furniture the body is close to, and those partners that are paired off."""
    for furniture, room in view.graph.rooms.items():
        is_here = view.graph.names.graph[room] == view.room
        if is_here and ways.metres(view.position, ways.places[furniture]) <= SEEN_M:
            status.memory.passed.add(furniture)
        if partners.are_paired_off and any(
            flat(position, ways.places[furniture]) <= SEEN_M for position in partners.positions
        ):
            status.memory.passed.add(furniture)


class Want(NamedTuple):
    """A missing thing: the classes it may be, and where it is said to be (furniture, rooms)."""

    classes: frozenset[str]
    said: frozenset[str]
    words: tuple[str, ...] = ()
    """Words for it, as the reading has them."""
    prior: Prior = "usual"

    def likely(self, kind: str, room_class: str) -> bool:
        """Tell whether it is usual on or in furniture of a class; all is, without a prior."""
        if self.prior == "uniform":
            return True
        return any(kind in OBJECT_CLASSES[c].furniture_in(room_class) for c in self.classes)

    def worth(self, furniture: str, room_id: str, kind: str, room_class: str) -> float:
        """Return the detour that a look at furniture is worth (m)."""
        if self.said:
            return SAID_M if self.said & {furniture, room_id} else -SAID_M
        if self.prior == "uniform":
            return 0.0
        usual = any(room_class in OBJECT_CLASSES[c].rooms for c in self.classes)
        return USUAL_M * (usual + self.likely(kind, room_class))


def look_for(
    view: PolicyView,
    status: GoalStatus,
    ways: Ways,
    partners: Partners,
    opens: bool = True,
    prior: Prior = "usual",
) -> Move | None:
    """Return the furniture to walk up to or to open, where what is missing is most likely.

    None when nothing is missing, or nothing is left to look at. With ``opens`` closed furniture may
    be begun with; what is being opened is opened to its last door in any case. Without ``prior``
    (uniform) all furniture counts alike.
    """
    memory = status.memory
    wants = [want._replace(prior=prior) for want in _missing(status)]
    if not wants:
        memory.opening = ""
        return None
    if (further := _next_door(view, status)) is not None:
        return further
    options = list(_options(view, status, ways, wants, partners))
    if not options:
        memory.missed.update(w for want in wants for w in want.words)
    if not options and memory.rounds < MOST_ROUNDS:
        # From elsewhere, and later, there may be more to see.
        memory.look_again()
        options = list(_options(view, status, ways, wants, partners))
    elif not options:
        memory.nowhere.update(w for want in wants for w in want.words)
    among = [o for o in options if opens or not o[1].opens]
    return min(among, key=lambda o: o[0])[1] if among else None


def _options(
    view: PolicyView, status: GoalStatus, ways: Ways, wants: list[Want], partners: Partners
) -> Iterable[tuple[float, Move]]:
    """Return the possible moves, each with its cost (m)."""
    graph, memory = view.graph, status.memory
    # Who is paired off spreads out.
    others = list(partners.free(view).values()) if partners.are_paired_off else []
    for furniture, room_id in graph.rooms.items():
        kind, room_class = _class_of(status, furniture), _class_of(status, room_id)
        unusual = kind in SELDOM and wants[0].prior == "usual"
        seldom = memory.rounds == 1 and (unusual or status.is_floor(furniture))
        is_new = furniture not in memory.looked and not seldom
        can_open = furniture in graph.articulated and furniture not in memory.opened
        if not is_new and not can_open:
            continue
        cost = ways.metres(view.position, ways.places[furniture])
        if any(flat(place, ways.places[furniture]) < cost for place in others):
            cost += NEARER_M
        cost -= max(want.worth(furniture, room_id, kind, room_class) for want in wants)
        if not is_new:
            if memory.doors[furniture]:
                # It is begun: what lies behind one door may have others like it behind the next.
                cost -= OPENING_M
            likely = any(furniture in w.said or w.likely(kind, room_class) for w in wants)
            cost += OPENING_M + UNUSUAL_M * (not likely)
        elif furniture in memory.passed:
            cost += PASSED_M
        call = Call.of("Navigate", graph.names.graph[furniture])
        yield cost, Move(call, "", NO_GOAL, furniture, opens=not is_new)


def first_target(view: PolicyView, ways: Ways, prior: Prior = "usual") -> str | None:
    """Return what to walk to before anything has been read, or None.

    It is the nearest thing that the instruction seems to name; otherwise furniture near by, in the
    direction of a room that it names.
    """
    graph, here = view.graph, view.position
    text = view.instruction.lower()

    def is_named(key: str) -> bool:
        return graph.names.graph[key].rpartition("_")[0].replace("_", " ") in text

    named = [t for t, known in graph.objects.items()
             if known.place.key in ways.places and is_named(t)]  # fmt: skip
    if named:
        return min(named, key=lambda t: ways.metres(here, ways.places[graph.objects[t].place.key]))
    rooms = [r.room_id for r in graph.scene.rooms if is_named(r.room_id)]
    near = [
        f
        for f in graph.rooms
        if prior == "uniform" or graph.names.graph[f].rpartition("_")[0] not in SELDOM
        if f != floor_key(graph.rooms[f]) and ways.metres(here, ways.places[f]) <= SETTING_OUT_M
    ]

    def left(furniture: str) -> float:
        start = ways.places[furniture]
        return min((ways.metres(start, ways.places[r]) for r in rooms), default=0.0)

    return min(near, key=lambda f: (left(f), ways.metres(here, ways.places[f])), default=None)


def _class_of(status: GoalStatus, key: str) -> str:
    return status.graph.names.graph[key].rpartition("_")[0]


def _next_door(view: PolicyView, status: GoalStatus) -> Move | None:
    """Return the call that opens the next door of what is being opened; None after the last."""
    memory = status.memory
    key, last = memory.opening, view.history[-1] if view.history else None
    if not key or last is None:
        return None
    name = view.graph.names.graph[key]
    opens, goes = Call.of("Open", name), Call.of("Navigate", name)
    if memory.doors[key] >= MOST_DOORS or (last.call == opens and not last.succeeded):
        # Under PARTNR's rules what is open opens again and again.
        memory.opened.add(key)
    if key in memory.opened or not last.succeeded or last.call not in (opens, goes):
        # What was found inside is seen to first: the other doors come after that.
        memory.opening = ""
        return None
    return Move(opens, "", NO_GOAL, key, opens=True)


def _missing(status: GoalStatus) -> list[Want]:
    graph = status.graph
    wants: list[Want] = []
    for number, goal in enumerate(status.goals):
        words: Iterable[str] = ()
        if status.settled(number):
            continue
        lost = [t for t in status.things[number] if status.is_lost(t)]
        taken = [t for t in status.things[number] if status.is_taken(number, t)]
        if len(status.things[number]) - len({*lost, *taken}) < goal.number:
            words = [graph.names.graph[t] for t in lost] + [
                w for w in goal.things if graph.find(w) is None
            ]
        elif goal.beside and graph.find(goal.beside) is None:
            words = () if known_things(graph, (goal.beside,)) else (goal.beside,)
        classes = {c for w in words for c in classes_of(w) if c in OBJECT_CLASSES}
        if classes:
            said = frozenset(k for name in goal.found_in if (k := graph.find(name)) is not None)
            wants.append(Want(frozenset(classes), said, tuple(words)))
    return wants

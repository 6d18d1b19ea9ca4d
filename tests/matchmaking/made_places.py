"""Places of studies for tests, with a clock that stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from matchmaking.assignment.assignment import Assignment
from matchmaking.assignment.places import Places
from matchmaking.study import Study

TASKS = [f"task_{number}" for number in range(40)]


def places_of(
    of: Study,
    completed: Mapping[str, int] | None = None,
    answers: Callable[[str], bool] = lambda _name: True,
    seed: str = "secret",
) -> Places:
    """Return the places of a study of whose conditions some groups have been completed."""
    places = Places(of, Assignment(of, seed, TASKS), lambda: 0.0, answers)
    wanted = dict(completed or {})
    drawn = 0
    others = []
    while sum(wanted.values()):
        person = f"par_before_{drawn}"
        drawn += 1
        place = places.of(person)
        assert place is not None, "the targets are above what was completed"
        if wanted.get(place.cell.name, 0):
            wanted[place.cell.name] -= 1
            assert places.deal(place.number, [person])
            places.begin(place.number, [person])
            places.complete(place.number)
        else:
            others.append(place.number)
    for number in others:
        places.leave(number, "left")
    return places

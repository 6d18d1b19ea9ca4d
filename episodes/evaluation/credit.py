"""Credit: the seat through which a proposition came to be as it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from episodes.evaluation.constraints import Recorded

Movers = Mapping[str, tuple[int, str]]
"""Tick and seat of each thing's latest change, by name."""


def credited_seat(movers: Movers, arguments: Recorded | None, names: Iterable[str]) -> str | None:
    """Return the seat that most recently changed a thing the proposition names.

    That is the seat of this tick's event if there is one. Of several in one tick, the one that
    changed what satisfies the proposition (``arguments``) comes first, then the order of
    ``names``: the proposition's, or those of what held and holds no longer.
    """
    best: tuple[int, str] | None = None
    satisfying = () if arguments is None else arguments.values()
    for name in (*(v for v in satisfying if isinstance(v, str)), *names):
        mover = movers.get(name)
        if mover is not None and (best is None or mover[0] > best[0]):
            best = mover
    return None if best is None else best[1]

"""Lines of the table: a team in a source, its means, and matched differences from a base."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Final, Literal, NamedTuple

from episodes.metrics import Comparison, Interval, compare, holm, paired
from episodes.metrics.clusters import over_houses, rate_over_houses
from server.research.coordination.attempts import Attempt, Source
from server.research.trials.comparisons import Compared

RATES: Final = frozenset({"success"})
MEASURES: Final = (
    "success",
    "percent complete",
    "time to success s",
    "concurrent activity",
    "idle share",
    "extraneous effort",
    "target conflicts",
)
"""Measures in the order of the table; the comparisons of each are one family."""
KINDS: Final = (
    "person+person",
    "person+policy",
    "policy+policy",
    "person alone",
    "policy alone",
)
Match = Literal["task and seed", "task"]


class CoordinationError(Exception):
    """Error for sources that cannot be compared; the text says what to do."""


class Mean(NamedTuple):
    """Mean over tasks of the mean over their attempts, with houses as units of its interval."""

    mean: float
    interval: Interval | None
    tasks: int


class Difference(NamedTuple):
    """Difference from the base, on the tasks that both have."""

    compared: Compared
    matched_by: Match


class Line(NamedTuple):
    """A team in a source."""

    source: str
    kind: str
    team: str
    attempts: int
    tasks: int
    houses: int
    means: Mapping[str, Mean]
    differences: Mapping[str, Difference]
    """Differences by measure; empty at the base, and where it has no task in common with it."""

    @property
    def name(self) -> str:
        """Name that tells it from other lines."""
        return f"{self.team} ({self.source})"


class Coordination(NamedTuple):
    """The table: its lines, the first of which is the base, and what it rests on."""

    lines: Sequence[Line]
    base: str
    limit_s: float
    """Time that unsolved attempts count as, and that none counts longer than."""
    other_houses: int
    """Attempts that are left out, since their house is another of the same name."""


class _Cell(NamedTuple):
    """Attempts of one line."""

    source: str
    attempts: list[Attempt]

    @property
    def kind(self) -> str:
        return self.attempts[0].kind

    @property
    def team(self) -> str:
        occupants = self.attempts[0].occupants
        if len(occupants) == 1:
            return f"{occupants[0]} alone"
        return " + ".join(occupants)


def coordination_of(
    sources: Sequence[Source], *, against: str = "", limit_s: float | None = None
) -> Coordination:
    """Compare the teams of all sources with one of them.

    ``against`` is a part of the name of the base's line; empty: the first line, in the order of
    `KINDS`. ``limit_s`` is what an unsolved attempt counts as; None: the shortest limit of a
    source. Raises CoordinationError.
    """
    limit = _limit(sources, limit_s)
    cells, other_houses = _cells(sources)
    if not cells:
        raise CoordinationError("there is no attempt with a verdict in any of the folders")
    values = [_values(cell.attempts, limit) for cell in cells]
    base = _base(cells, against)
    order = [base, *(index for index in range(len(cells)) if index != base)]
    differences = _differences(cells, values, base)
    lines = [
        Line(
            cells[index].source,
            cells[index].kind,
            cells[index].team,
            len(cells[index].attempts),
            len({a.task_id for a in cells[index].attempts}),
            len({a.house for a in cells[index].attempts}),
            _means(cells[index].attempts, values[index]),
            differences.get(index, {}),
        )
        for index in order
    ]
    return Coordination(lines, lines[0].name, limit, other_houses)


def _limit(sources: Sequence[Source], limit_s: float | None) -> float:
    known = [source.limit_s for source in sources if source.limit_s is not None]
    if limit_s is None and not known:
        raise CoordinationError(
            "no source says its time limit: name what unsolved attempts count as (--limit-s)"
        )
    return min(known) if limit_s is None else limit_s


def _cells(sources: Sequence[Source]) -> tuple[list[_Cell], int]:
    """Return attempts by line; those in another house of the same name are counted instead."""
    digests: dict[str, str] = {}
    found: dict[tuple[str, tuple[str, ...]], _Cell] = {}
    other = 0
    for source in sources:
        for attempt in source.attempts:
            if digests.setdefault(attempt.house, attempt.house_digest) != attempt.house_digest:
                other += 1
                continue
            key = (source.name, attempt.occupants)
            found.setdefault(key, _Cell(source.name, [])).attempts.append(attempt)
    rank = {kind: number for number, kind in enumerate(KINDS)}
    ordered = sorted(found.values(), key=lambda cell: rank.get(cell.kind, len(KINDS)))
    return ordered, other


def _base(cells: Sequence[_Cell], against: str) -> int:
    names = [f"{cell.team} ({cell.source})" for cell in cells]
    matching = [index for index, name in enumerate(names) if against in name]
    if not matching:
        raise CoordinationError(f"--against {against}: no such team; there are {', '.join(names)}")
    return matching[0]


_Values = Mapping[str, Mapping[tuple[str, int], float]]
"""Values by measure, and by task and seed."""


def _values(attempts: Sequence[Attempt], limit: float) -> _Values:
    found: dict[str, dict[tuple[str, int], list[float]]] = {}
    for attempt in attempts:
        measured = dict(attempt.values)
        if attempt.time_s is not None:
            # Whoever gives up early is not the faster one: unsolved counts as the limit.
            solved_in_time = attempt.is_solved and attempt.time_s <= limit
            measured["time to success s"] = attempt.time_s if solved_in_time else limit
        for measure, value in measured.items():
            by_key = found.setdefault(measure, {})
            by_key.setdefault((attempt.task_id, attempt.seed), []).append(value)
    return {
        measure: {key: fmean(values) for key, values in by_key.items()}
        for measure, by_key in found.items()
    }


def _by_task(values: Mapping[tuple[str, int], float]) -> dict[tuple[str, int], float]:
    found: dict[str, list[float]] = {}
    for (task, _), value in values.items():
        found.setdefault(task, []).append(value)
    return {(task, 0): fmean(mine) for task, mine in found.items()}


def _means(attempts: Sequence[Attempt], values: _Values) -> dict[str, Mean]:
    houses = {attempt.task_id: attempt.house for attempt in attempts}
    found = {}
    for measure in MEASURES:
        of_tasks = _by_task(values.get(measure, {}))
        if not of_tasks:
            continue
        numbers, where = list(of_tasks.values()), [houses[task] for task, _ in of_tasks]
        interval_of = rate_over_houses if measure in RATES else over_houses
        found[measure] = Mean(fmean(numbers), interval_of(numbers, where), len(numbers))
    return found


def _differences(
    cells: Sequence[_Cell], values: Sequence[_Values], base: int
) -> dict[int, dict[str, Difference]]:
    found: dict[int, dict[str, Difference]] = {}
    for measure in MEASURES:
        compared = list(_compared(cells, values, base, measure))
        corrected = holm([one.p for _, one, _ in compared])
        for (index, one, matched_by), p in zip(compared, corrected, strict=True):
            difference = Difference(Compared(one, p, len(compared)), matched_by)
            found.setdefault(index, {})[measure] = difference
    return found


def _compared(
    cells: Sequence[_Cell], values: Sequence[_Values], base: int, measure: str
) -> Iterator[tuple[int, Comparison, Match]]:
    """Yield the comparisons of a measure with the base."""
    other = values[base].get(measure, {})
    for index, cell in enumerate(cells):
        mine = values[index].get(measure, {})
        if index == base:
            continue
        houses = {a.task_id: a.house for a in (*cells[base].attempts, *cell.attempts)}
        matched_by: Match = "task and seed"
        pairs = paired(mine, other, houses)
        if not pairs:
            matched_by = "task"
            pairs = paired(_by_task(mine), _by_task(other), houses)
        if pairs:
            yield index, compare(pairs, of_rates=measure in RATES), matched_by

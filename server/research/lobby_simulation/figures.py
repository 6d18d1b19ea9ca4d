"""Figures of a simulated lobby: numbers to print, and a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

from matchmaking.study import Study
from matchmaking.study.endings import Ending
from server.research.lobby_simulation.simulation import Course, Group, Visit


class Waits(NamedTuple):
    """Waiting times of some people (s)."""

    people: int
    middle_s: float
    nine_of_ten_s: float
    """Time within which nine of ten had waited."""
    longest_s: float


class CellFigures(NamedTuple):
    """Groups of a condition."""

    name: str
    target: int
    begun: int
    completed: int
    """Groups that played to the end, without a substitute."""
    substituted: int


def waits_of(visits: Sequence[Visit]) -> Waits:
    """Return the waiting times of some people; zeros for nobody."""
    times = [visit.waited_s for visit in visits]
    if not times:
        return Waits(0, 0.0, 0.0, 0.0)
    tenth = quantiles(times, n=10, method="inclusive")[-1] if len(times) > 1 else times[0]
    return Waits(len(times), median(times), tenth, max(times))


def cells_of(study: Study, groups: Sequence[Group]) -> list[CellFigures]:
    """Return the groups of each condition; those of none are counted under no name."""
    found = []
    targets = {cell.name: cell.target for cell in study.cells}
    if any(not group.cell for group in groups):
        targets[""] = 0
    for name, target in targets.items():
        mine = [group for group in groups if group.cell == name]
        found.append(
            CellFigures(
                name,
                target,
                len(mine),
                sum(group.is_complete and not group.is_substituted for group in mine),
                sum(group.is_substituted for group in mine),
            )
        )
    return found


def endings_of(visits: Sequence[Visit]) -> list[tuple[Ending, int, int]]:
    """Return each ending that occurred, with its people and what they cost."""
    people = Counter(visit.ending for visit in visits)
    cost: Counter[Ending] = Counter()
    for visit in visits:
        cost[visit.ending] += visit.cost
    return [(ending, people[ending], cost[ending]) for ending in Ending if people[ending]]


def draw(study: Study, course: Course, path: Path) -> None:
    """Draw waits, groups and their sizes, the fill of conditions, and cost, into a file.

    The kind of picture is that of the file's name. Needs matplotlib (the extra `analysis`).
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 7.5), layout="constrained")
    waits, sizes, fill, cost = figure.subplots(2, 2).flat
    _draw_waits(waits, study, course)
    _draw_sizes(sizes, course)
    _draw_fill(fill, study, course)
    _draw_cost(cost, study, course)
    figure.suptitle(f"Simulated lobby of {study.name}, version {study.version}")
    figure.savefig(path)


def _draw_waits(axes: Any, study: Study, course: Course) -> None:
    for name, has_group in (("got a group", True), ("did not", False)):
        times = sorted(v.waited_s for v in course.visits if v.has_group is has_group)
        shares = [100 * number / len(times) for number in range(1, len(times) + 1)]
        if times:
            axes.step([0.0, *times], [0.0, *shares], where="post", label=f"{name} ({len(times)})")
    axes.axvline(study.limits.wait_s, color="black", linestyle="--", label="deadline")
    axes.set(title="Waits", xlabel="waited at most (s)", ylabel="people (%)", ylim=(0, 103))
    axes.legend()


def _draw_sizes(axes: Any, course: Course) -> None:
    reasons = sorted({group.reason for group in course.groups})
    sizes = sorted({group.people for group in course.groups})
    below = [0] * len(sizes)
    for reason in reasons:
        counts = [sum(g.people == n and g.reason == reason for g in course.groups) for n in sizes]
        axes.bar(list(map(str, sizes)), counts, 0.5, bottom=below, label=reason.replace("_", " "))
        below = [low + count for low, count in zip(below, counts, strict=True)]
    axes.set(title="Groups", xlabel="people of a group", ylabel="groups")
    if reasons:
        axes.legend()


def _draw_fill(axes: Any, study: Study, course: Course) -> None:
    lasted_h = course.lasted_s / 3600
    for number, cell in enumerate(study.cells, start=1):
        mine = [g for g in course.groups if g.cell == cell.name and not g.is_substituted]
        formed = sorted(g.formed_at / 3600 for g in mine if g.is_complete)
        line = axes.step(
            [0.0, *formed, lasted_h],
            [*range(len(formed) + 1), len(formed)],
            where="post",
            label=cell.name,
        )
        # Beside each other, so that targets of one height are all seen.
        beside = lasted_h * (1 + 0.03 * number)
        axes.plot([beside], [cell.target], marker="D", color=line[0].get_color(), linestyle="")
    axes.set(
        title="Conditions, with their targets (diamonds)",
        xlabel="time (h)",
        ylabel="groups that complete it",
        ylim=(0, None),
    )
    axes.legend()


def _draw_cost(axes: Any, study: Study, course: Course) -> None:
    endings = endings_of(course.visits)
    names = [f"{str(ending).replace('_', ' ')} ({people})" for ending, people, _ in endings]
    axes.barh(names, [cost / 100 for *_, cost in endings])
    axes.invert_yaxis()
    total = sum(visit.cost for visit in course.visits) / 100
    axes.set(
        title=f"Endings (people) and cost: {total:.2f} {study.pay.currency} in all",
        xlabel=study.pay.currency,
    )

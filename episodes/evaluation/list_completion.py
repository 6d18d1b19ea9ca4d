"""Counts over lists: the loops of section 4 over cells that are asked for only when needed.

A *cell* is one primitive about named things (cup above table). Its value is None until it is asked
for. The order in which cells are asked and the point where asking stops are PARTNR's, because a
question about a thing that is not there raises.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from episodes.evaluation.errors import EvaluationError
from episodes.evaluation.semantics import Semantics

Cells = list[bool | None]
Ask = Callable[[int], bool]
Completions = list[int]
"""Cells by count: entry n - 1 completed the count of n, or is -1 where n is not reached."""


def completions(
    rows: Sequence[Sequence[int]],
    owners: Sequence[int],
    same: bool,
    most: int,
    cells: Cells,
    ask: Ask,
    semantics: Semantics,
) -> Completions:
    """Return, for each count from 1 to ``most``, the cell that completes it.

    ``rows[i][j]`` is the cell of the i-th member of the first list with the j-th of the second
    (one column where there is no second list). ``owners[i]`` is the position of the first
    member equal to the i-th one, so that a name listed twice counts once. Raises
    EvaluationError for ``most`` below 1 with lists longer than one.
    """
    if len(rows) == 1 and len(rows[0]) == 1:
        cell = rows[0][0]
        value = cells[cell]
        if value is None:
            value = ask(cell)
        done = [-1] * max(most, 1)
        if value:
            done[0] = cell
            if semantics.single_number:
                done = [cell] * len(done)
        return done
    if most < 1:
        raise EvaluationError(f"expected a number of at least 1, got {most}")
    if same:
        return _same(rows, owners, most, cells, ask, semantics)
    done = [-1] * most
    count = 0
    last = -1
    by_pair = semantics.pair_count
    counted: set[int] | None = None
    value = False
    for position, row in enumerate(rows):
        fresh = True
        if not by_pair and owners[position] != position:
            # A name that is listed again counts only if it has not been counted.
            fresh = counted is None or owners[position] not in counted
        for cell in row:
            value = cells[cell]
            if value is None:
                value = ask(cell)
            last = cell
            if value and (by_pair or fresh):
                done[count] = cell
                count += 1
                if count == most:
                    return done
                if not by_pair:
                    fresh = False
                    if counted is None:
                        counted = set()
                    counted.add(owners[position])
    return _with_last_pair(done, count, last, value, semantics)


def _same(
    rows: Sequence[Sequence[int]],
    owners: Sequence[int],
    most: int,
    cells: Cells,
    ask: Ask,
    semantics: Semantics,
) -> Completions:
    done = [-1] * most
    reached = 0
    last = -1
    value: bool | None = False
    for column in range(len(rows[0]) if rows else 0):
        count = 0
        counted: set[int] = set()
        for position, row in enumerate(rows):
            cell = row[column]
            value = cells[cell]
            if value is None:
                value = ask(cell)
            last = cell
            if not value:
                continue
            if not semantics.pair_count:
                if owners[position] in counted:
                    continue
                counted.add(owners[position])
            count += 1
            if count > reached:
                done[reached] = cell
                reached = count
                if reached == most:
                    return done
    return _with_last_pair(done, reached, last, bool(value), semantics)


def _with_last_pair(
    done: Completions, reached: int, last: int, value: bool | None, semantics: Semantics
) -> Completions:
    if semantics.last_pair and value:
        for position in range(reached, len(done)):
            done[position] = last
    return done


def components(names: Sequence[str], near: Callable[[int, int], bool]) -> list[list[int]]:
    """Return the positions of ``names`` by connected component, the largest first.

    ``near(i, j)`` is asked once for every pair with i < j. Components of one size keep the
    order of their first members.
    """
    count = len(names)
    parent = list(range(count))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for i in range(count):
        for j in range(i + 1, count):
            if near(i, j):
                a, b = root(i), root(j)
                if a != b:
                    parent[max(a, b)] = min(a, b)
    members: dict[int, list[int]] = {}
    for i in range(count):
        members.setdefault(root(i), []).append(i)
    return sorted(members.values(), key=len, reverse=True)


def can_fill(groups: Sequence[Sequence[int]], numbers: Sequence[int]) -> bool:
    """Tell whether every group can have its number of members with no member used twice.

    Augmenting paths (Kuhn); ``groups`` holds the positions of each group's members.
    """
    places = [g for g, number in enumerate(numbers) for _ in range(number)]
    taken: dict[int, int] = {}

    def place(index: int, tried: set[int]) -> bool:
        for member in groups[places[index]]:
            if member in tried:
                continue
            tried.add(member)
            if member not in taken or place(taken[member], tried):
                taken[member] = index
                return True
        return False

    return all(place(index, set()) for index in range(len(places)))

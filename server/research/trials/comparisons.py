"""Comparisons of a trial's teams on the same tasks and seeds, corrected for their number.

Each robot is compared with the first (or another one that is named) beside the same partner; teams
that are no pairs with the first team. Every comparison is over all tasks that both played, solved
or not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from episodes.metrics.comparison import Comparison, compare, holm, paired
from episodes.metrics.power import ALPHA
from episodes.teams import Team
from server.research.trials.plan import TrialError, names_of_pair
from server.research.trials.run_figures import SUCCESS, RunFigures

EXTRANEOUS: Final = ("partnr", "extraneous_effort", "paper")

MEASURES: Final[Mapping[str, Callable[[RunFigures], float | None]]] = {
    "success": lambda run: run.value(SUCCESS),
    "until finished": lambda run: run.until_finished,
    "until success": lambda run: run.until_success,
    "extraneous": lambda run: run.value(EXTRANEOUS),
}
"""Measures that are compared; the comparisons of a measure in a table are one family."""


class Compared(NamedTuple):
    """A comparison with the base, and its p corrected by Holm for all of its family."""

    found: Comparison
    corrected: float
    family: int
    """Number of comparisons in the family."""

    @property
    def level(self) -> float:
        """Level that power is told for: what Holm asks of the first of the family."""
        return ALPHA / self.family

    @property
    def houses_needed(self) -> int | None:
        return self.found.houses_needed(self.level)

    @property
    def detectable(self) -> float | None:
        return self.found.detectable(self.level)


Compare = Mapping[Team, Mapping[str, Compared]]


def comparisons_of(played: Mapping[Team, Sequence[RunFigures]], against: str = "") -> Compare:
    """Compare each team with its base, measure by measure; teams without a base are left out.

    ``against`` names the robot that the others are compared with; empty: the first. Raises
    TrialError if there is no such robot.
    """
    bases = _bases(list(played), against)
    found: dict[Team, dict[str, Compared]] = {}
    for measure, value_of in MEASURES.items():
        compared: dict[Team, Comparison] = {}
        for team, base in bases.items():
            houses = {run.task_id: run.house for run in (*played[base], *played[team])}
            pairs = paired(_values(played[team], value_of), _values(played[base], value_of), houses)
            if pairs:
                compared[team] = compare(pairs, of_rates=measure == "success")
        corrected = holm([c.p for c in compared.values()])
        for (team, one), p in zip(compared.items(), corrected, strict=True):
            found.setdefault(team, {})[measure] = Compared(one, p, len(compared))
    return found


def _bases(teams: Sequence[Team], against: str) -> dict[Team, Team]:
    """Return the base of each team that has one."""
    names = {team: names_of_pair(team) for team in teams}
    if not all(names.values()):
        if against:
            raise TrialError("teams are compared with the first: --against names a robot of pairs")
        return dict.fromkeys(teams[1:], teams[0])
    robots = list(dict.fromkeys(pair[0] for pair in names.values() if pair))
    if against and against not in robots:
        raise TrialError(
            f"--against {against}: no such robot in this trial; it has {', '.join(robots)}"
        )
    base = against or next(iter(robots), "")
    found = {}
    for team, pair in names.items():
        if pair is not None and pair[0] != base:
            beside = next((t for t, p in names.items() if p == (base, pair[1])), None)
            if beside is not None:
                found[team] = beside
    return found


def _values(
    played: Sequence[RunFigures], value_of: Callable[[RunFigures], float | None]
) -> dict[tuple[str, int], float]:
    return {
        (run.task_id, run.repetition): value
        for run in played
        if (value := value_of(run)) is not None
    }

"""Table of progress: measures of people, each over episodes in one condition, in long form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.exports.context import ExportContext
from server.research.exports.played_episodes import PlayedEpisode
from server.research.exports.tables.seats import person_in
from server.research.measures.person_measure import TriedTask
from server.research.measures.registry import PERSON_MEASURES
from server.research.measures.time_to_success import MEASURE as TIME_TO_SUCCESS

TABLE = Table(
    name="progress",
    row="measure of a participant over their episodes in one condition",
    is_outcome=True,
    columns=(
        Column(name="participant_id", definition="Pseudonym of the person.", source="occupancies"),
        Column(
            name="condition",
            definition="Condition that the episodes were played in, as in the table episodes.",
            source="draws",
        ),
        Column(
            name="is_assigned",
            definition="Whether the group of the episodes belongs to the analysis by assigned "
            "condition. A person who went on in another group can have rows of both kinds.",
            kind="boolean",
            source="draws",
        ),
        Column(
            name="measure_id",
            definition="Measure; the codebook has definition, unit and source of each.",
            source="episodes, log",
        ),
        Column(
            name="measure_version",
            definition="Version of the measure: values of different ones are not compared.",
            kind="integer",
            source="episodes, log",
        ),
        Column(
            name="value",
            definition="Value, in the measure's unit; empty: undefined, which is not zero.",
            kind="number",
            source="episodes, log",
        ),
        Column(
            name="is_censored",
            definition="Whether a time among these had not ended when its episode did.",
            kind="boolean",
            source="episodes, log",
        ),
        Column(
            name="n_episodes",
            definition="Episodes that it is computed from.",
            kind="integer",
            source="episodes, log",
        ),
    ),
)


class _Part(NamedTuple):
    """Condition and standing of episodes, across which no line of learning runs."""

    condition: str
    is_assigned: bool


class _Tried(NamedTuple):
    opened_at: datetime
    order_index: int
    task: TriedTask


class TriedTasks:
    """First tries at tasks that are measured, by the people who had a seat in them."""

    def __init__(self, context: ExportContext) -> None:
        self._context = context
        self._found: dict[str, dict[_Part, list[_Tried]]] = {}

    def take(self, played: PlayedEpisode) -> None:
        """Note an episode whose log can be read; practice and later tries do not count."""
        row, summary = played.row, played.summary
        if summary is None or row.try_index > 0 or self._context.is_practice(row):
            return
        times = [
            value
            for result in summary.measures
            if result.name == TIME_TO_SUCCESS.name
            for value in result.values
        ]
        tried = TriedTask(
            summary.verdict.percent_complete,
            times[0].number if times else None,
            bool(times) and not times[0].is_censored,
        )
        group = self._context.group_of_session[row.session_id]
        part = _Part(self._context.condition_of(row), group.is_assigned)
        occupancies = self._context.occupancies.get(row.session_id, [])
        for share in summary.seats:
            person = person_in(occupancies, row, share.seat)
            if person is not None:
                mine = self._found.setdefault(person, {}).setdefault(part, [])
                mine.append(_Tried(row.opened_at, row.order_index, tried))

    def rows(self) -> Iterator[dict[str, Value]]:
        """Yield the measures of each person who had a seat, in the order of the visits."""
        people = dict.fromkeys(visit.participant_id for visit in self._context.visits)
        for person in people:
            parts = self._found.get(person, {})
            for part in sorted(parts, key=lambda one: min(tried[:2] for tried in parts[one])):
                yield from self._rows_of(person, part, parts[part])

    def _rows_of(
        self, person: str, part: _Part, found: Sequence[_Tried]
    ) -> Iterator[dict[str, Value]]:
        in_order = sorted(found, key=lambda one: one[:2])
        tasks = [one.task for one in in_order]
        for measure in PERSON_MEASURES:
            value = measure.compute(tasks)
            yield {
                "participant_id": self._context.pseudonym(person),
                "condition": part.condition,
                "is_assigned": part.is_assigned,
                "measure_id": measure.name,
                "measure_version": measure.version,
                "value": value.number,
                "is_censored": value.is_censored,
                "n_episodes": value.n_episodes,
            }

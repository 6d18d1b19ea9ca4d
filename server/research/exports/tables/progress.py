"""Table of progress: measures of people, each over the episodes of a participant, in long form."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

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
    row="measure of a participant over the episodes of their visit",
    is_outcome=True,
    columns=(
        Column(name="participant_id", definition="Pseudonym of the person.", source="occupancies"),
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


class TriedTasks:
    """First tries at tasks that are measured, by the people who had a seat in them."""

    def __init__(self, context: ExportContext) -> None:
        self._context = context
        self._found: dict[str, list[tuple[datetime, int, TriedTask]]] = {}

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
        occupancies = self._context.occupancies.get(row.session_id, [])
        for share in summary.seats:
            person = person_in(occupancies, row, share.seat)
            if person is not None:
                mine = self._found.setdefault(person, [])
                mine.append((row.opened_at, row.order_index, tried))

    def rows(self) -> Iterator[dict[str, Value]]:
        """Yield the measures of each person who had a seat, in the order of the visits."""
        people = dict.fromkeys(visit.participant_id for visit in self._context.visits)
        for person in people:
            found = sorted(self._found.get(person, ()), key=lambda one: one[:2])
            if not found:
                continue
            tried = [one for *_, one in found]
            for measure in PERSON_MEASURES:
                value = measure.compute(tried)
                yield {
                    "participant_id": self._context.pseudonym(person),
                    "measure_id": measure.name,
                    "measure_version": measure.version,
                    "value": value.number,
                    "is_censored": value.is_censored,
                    "n_episodes": value.n_episodes,
                }

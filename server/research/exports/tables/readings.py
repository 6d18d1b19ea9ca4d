"""Table of readings: for how long each person read the explanation of an attempt."""

from __future__ import annotations

from collections.abc import Iterator

from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.exports.context import ExportContext

TABLE = Table(
    name="readings",
    row="participant who read the explanation of an attempt",
    is_outcome=True,
    columns=(
        Column(name="participant_id", definition="Pseudonym of the person.", source="answers"),
        Column(name="episode_id", definition="Attempt that was explained.", source="answers"),
        Column(
            name="reading_s",
            definition="Time in which some of the explanation was in view on the page between two "
            "attempts, and the page was to be seen: no time counts in which its tab was hidden. "
            "The page measures it; the report that it links to is not counted, and nobody knows "
            "whether somebody looked. 0: it never came in view. No row: nothing was shown between "
            "the attempts, as with the explanation none, or the page told nothing.",
            kind="number",
            unit="s",
            source="answers",
        ),
        Column(
            name="n_stretches",
            definition="Times that the page told of reading: it was hidden or left so often.",
            kind="integer",
            source="answers",
        ),
    ),
)


def readings_rows(context: ExportContext) -> Iterator[dict[str, Value]]:
    """Yield the readings of those who have not withdrawn."""
    withheld = {episode.episode_id for episode in context.withheld_episodes}
    found: dict[tuple[str, str], list[int]] = {}
    for answer in context.readings:
        person = context.people[answer.visit_id]
        if person not in context.left_out and answer.occasion not in withheld:
            found.setdefault((person, answer.occasion), []).append(int(answer.value))
    for (person, episode_id), times_ms in found.items():
        yield {
            "participant_id": context.pseudonym(person),
            "episode_id": episode_id,
            "reading_s": sum(times_ms) / 1000,
            "n_stretches": len(times_ms),
        }

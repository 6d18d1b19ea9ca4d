"""Table of seats: who had each in an episode, and what they did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.exports.context import ExportContext
from server.research.summaries.episode_summary import EpisodeSummary
from server.store.models import EpisodeRow, OccupancyRow

TABLE = Table(
    name="seats",
    row="occupied seat in an episode whose log can be read",
    is_outcome=True,
    columns=(
        Column(name="episode_id", definition="Episode.", source="episodes"),
        Column(
            name="seat", definition="Seat; its name begins with the kind of body.", source="log"
        ),
        Column(
            name="participant_id",
            definition="Pseudonym of the person who had it first; empty: a policy had it.",
            source="occupancies",
        ),
        Column(
            name="policy",
            definition="Policy that had it, with its options; beside a person: one that stood in.",
            source="occupancies",
        ),
        Column(
            name="work_share",
            definition="Share of the goals that count and are credited to anybody, credited to it; "
            "empty: none are.",
            kind="number",
            unit="share from 0 to 1",
            source="log",
        ),
        Column(name="n_actions", definition="Accepted actions.", kind="integer", source="log"),
        Column(name="n_refused", definition="Refused actions.", kind="integer", source="log"),
        Column(
            name="n_extraneous_actions",
            definition="Accepted actions that did not raise percent complete.",
            kind="integer",
            source="log",
        ),
        Column(
            name="distance_m",
            definition="Length of the body's way.",
            kind="number",
            unit="m",
            source="log",
        ),
        Column(
            name="idle_s",
            definition="Time in which the body neither moved, turned, acted nor spoke for more "
            "than half a second.",
            kind="number",
            unit="s",
            source="log",
        ),
        Column(
            name="disconnected_s",
            definition="Time without a connection.",
            kind="number",
            unit="s",
            source="log",
        ),
        Column(
            name="hidden_s",
            definition="Time in which the person was away: the page hidden, or long untouched.",
            kind="number",
            unit="s",
            source="log",
        ),
    ),
)


def seat_rows(
    context: ExportContext,
    episode: EpisodeRow,
    summary: EpisodeSummary,
    occupancies: Sequence[OccupancyRow],
) -> Iterator[dict[str, Value]]:
    """Yield a row for each occupied seat; ``occupancies`` are all of the session."""
    for share in summary.seats:
        mine = [o for o in occupancies if o.seat_id == share.seat and _overlaps(o, episode)]
        person = person_in(occupancies, episode, share.seat)
        yield {
            "episode_id": episode.episode_id,
            "participant_id": None if person is None else context.pseudonym(person),
            "policy": next((o.policy for o in mine if o.policy), None),
            **msgspec.structs.asdict(share),
        }


def person_in(occupancies: Iterable[OccupancyRow], episode: EpisodeRow, seat: str) -> str | None:
    """Return who had a seat first in an episode; None: a policy had it all the time."""
    mine = (o for o in occupancies if o.seat_id == seat and _overlaps(o, episode))
    return next((o.participant_id for o in mine if o.participant_id is not None), None)


def _overlaps(occupancy: OccupancyRow, episode: EpisodeRow) -> bool:
    ended = episode.ended_at
    began_before_end = ended is None or occupancy.since <= ended
    return began_before_end and (occupancy.until is None or occupancy.until > episode.opened_at)

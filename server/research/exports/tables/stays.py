"""Table of stays in the lobby: how long each was, and how it ended."""

from __future__ import annotations

from collections.abc import Iterator

from matchmaking.tickets import Wish
from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.exports.context import ExportContext
from server.store.models import TicketRow

TABLE = Table(
    name="stays",
    row="stay in the lobby",
    columns=(
        Column(name="visit_id", definition="Pseudonym of the visit.", source="visits"),
        Column(name="participant_id", definition="Pseudonym of the person.", source="tickets"),
        Column(
            name="stay_index",
            definition="Number of the stay among those of the visit, from 0.",
            kind="integer",
            source="tickets",
        ),
        Column(
            name="outcome",
            definition="How it ended: matched, unready (a group was there, and the person did not "
            "say in time to be ready), gone (the page went away and did not come back), "
            "expired (the wait was over), unopened (a group was there, and no session could be "
            "opened; the person may come again), not_opened (likewise, when the wait was over or "
            "it was the third time), elsewhere (the person played in another session), "
            "cancelled, over_recruited, no_tasks or stopped (the server was); or where it stands.",
            source="tickets",
        ),
        Column(
            name="joined_at", definition="Time of its beginning.", kind="time", source="tickets"
        ),
        Column(
            name="left_at",
            definition="Time of its end; empty: it goes on.",
            kind="time",
            source="tickets",
        ),
        Column(
            name="waited_s",
            definition="Time from its beginning to its end; empty: it goes on.",
            kind="number",
            unit="s",
            source="tickets",
        ),
        Column(
            name="group_fell",
            definition="Whether a group of it was not ready or lost somebody, so that it waited "
            "on, before others.",
            kind="boolean",
            source="tickets",
        ),
        Column(
            name="group_id",
            definition="Group that it was matched into; empty: none.",
            source="tickets, draws",
        ),
    ),
)


def stays_rows(context: ExportContext) -> Iterator[dict[str, Value]]:
    """Yield a row for each stay of those who agreed and have not withdrawn, visit by visit."""
    stays: dict[str, list[TicketRow]] = {}
    # A practice is no wait for a group.
    tickets = (ticket for ticket in context.stored.tickets if ticket.wish == Wish.STUDY)
    for ticket in sorted(tickets, key=lambda t: (t.joined_at, t.ticket_id)):
        stays.setdefault(ticket.participant_id, []).append(ticket)
    groups = {g.match.match_id: g.group_id for g in context.groups if g.match is not None}
    for visit in context.visits:
        if visit.participant_id in context.left_out:
            continue
        for number, ticket in enumerate(stays.get(visit.participant_id, ())):
            left_at = ticket.left_at
            yield {
                "visit_id": context.pseudonym(visit.visit_id),
                "participant_id": context.pseudonym(visit.participant_id),
                "stay_index": number,
                "outcome": ticket.state,
                "joined_at": ticket.joined_at,
                "left_at": left_at,
                "waited_s": None
                if left_at is None
                else (left_at - ticket.joined_at).total_seconds(),
                "group_fell": ticket.is_first,
                "group_id": groups.get(ticket.match_id) if ticket.match_id else None,
            }

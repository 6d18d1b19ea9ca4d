"""Table of groups: all that were drawn, with the condition and what became of them."""

from __future__ import annotations

from collections.abc import Iterator

from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.exports.context import ExportContext
from server.research.exports.study_groups import levels_of
from server.research.exports.tables.factors import factor_cells, factor_columns


def groups_table(context: ExportContext) -> Table:
    """Return the table's columns."""
    return Table(
        name="groups",
        row="group that a place was drawn for, or that played without one",
        columns=(
            Column(
                name="group_id",
                definition="Name of the group: its place in the order of draws, or its number "
                "among those that began without a condition because too few people came.",
                in_release="Name of the group in this release alone, which tells no order.",
                source="draws, matches",
            ),
            Column(
                name="condition_assigned",
                definition="Condition, or order of conditions, that was drawn; empty: none.",
                source="draws",
            ),
            *factor_columns(context.study, "the group"),
            Column(
                name="stratum",
                definition="Levels that were drawn for its first person at entry.",
                source="draws",
            ),
            Column(
                name="state",
                definition="drawn (nothing began yet), given_up (left before the first task), "
                "begun, completed, or lost (left after the first task had begun).",
                source="draws",
            ),
            Column(
                name="reason",
                definition="Reason for which the place was given up or lost.",
                source="draws",
            ),
            Column(
                name="drawn_at",
                definition="Time of the draw.",
                kind="time",
                source="draws",
            ),
            Column(
                name="begun_at",
                definition="Time at which the first task began.",
                kind="time",
                source="draws",
            ),
            Column(
                name="ended_at",
                definition="Time at which the server noted that the place was completed or left.",
                kind="time",
                source="draws",
                is_outcome=True,
            ),
            Column(
                name="session_id",
                definition="Session that it played in; recordings are named after it.",
                in_release="Session that it played in, by a name of this release alone.",
                source="sessions",
            ),
            Column(
                name="team",
                definition="Bodies and their occupants, body by body.",
                source="matches",
            ),
            Column(
                name="n_people",
                definition="People of the group.",
                kind="integer",
                source="tickets",
            ),
            Column(
                name="n_waiting",
                definition="People in the lobby when it was formed, these included.",
                kind="integer",
                source="matches",
            ),
            Column(
                name="close_reason",
                definition="Reason for which its session was closed; empty: it is open.",
                source="sessions",
            ),
            Column(
                name="is_assigned",
                definition="Whether it belongs to the analysis by assigned condition: its first "
                "task began.",
                kind="boolean",
                source="draws",
            ),
            Column(
                name="is_per_protocol",
                definition="Whether it completed all its tasks with nobody substituted, and nobody "
                "of it has withdrawn.",
                kind="boolean",
                source="draws, matches, episodes",
            ),
            Column(
                name="substituted",
                definition="Whether a policy had a place that the condition has for a person, from "
                "the start or for a while.",
                kind="boolean",
                source="matches, episodes",
            ),
            Column(
                name="has_withdrawn",
                definition="Whether somebody of it has withdrawn, so that its episodes are left "
                "out.",
                kind="boolean",
                source="visits",
            ),
        ),
    )


def groups_rows(context: ExportContext) -> Iterator[dict[str, Value]]:
    """Yield a row for each group, in the order in which places were drawn."""
    for group in context.told_groups:
        drawn, match, session = group.drawn, group.match, group.session
        stratum = "" if drawn is None else drawn.stratum
        yield {
            "group_id": group.group_id,
            "condition_assigned": group.condition,
            **factor_cells(context.factors, levels_of(context.study, group.condition, stratum)),
            "stratum": stratum,
            "state": None if group.state is None else str(group.state),
            "reason": group.reason,
            "drawn_at": group.drawn_at,
            "begun_at": group.begun_at,
            "ended_at": group.ended_at,
            "session_id": None if session is None else session.session_id,
            "team": None if match is None else match.team,
            "n_people": len(group.people),
            "n_waiting": None if match is None else match.n_waiting,
            "close_reason": None if session is None else session.close_reason,
            "is_assigned": group.is_assigned,
            "is_per_protocol": group.is_per_protocol,
            "substituted": group.is_substituted,
            "has_withdrawn": group.has_withdrawn,
        }

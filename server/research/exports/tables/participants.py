"""Table of participants: what each was assigned to, agreed to, and belongs to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.exports.context import ExportContext
from server.research.exports.study_groups import entry_levels_of, levels_of
from server.research.exports.tables.factors import factor_cells, factor_columns


def participants_table(context: ExportContext) -> Table:
    """Return the table's columns."""
    return Table(
        name="participants",
        row="participant",
        columns=(
            Column(
                name="participant_id",
                definition="Pseudonym, the same in each export of this study and nowhere else.",
                in_release="Pseudonym, the same in each table of this release and nowhere else.",
                source="visits",
            ),
            Column(name="study_id", definition="Name of the study.", source="manifest"),
            Column(
                name="study_version",
                definition="Version of the study.",
                kind="integer",
                source="manifest",
            ),
            Column(name="mode", definition="live, pilot or test.", source="manifest"),
            Column(name="language", definition="Language of the pages.", source="visits"),
            Column(
                name="group_id",
                definition="Group that the person played in, or was drawn for; empty: none.",
                source="draws, matches",
            ),
            Column(
                name="condition_assigned",
                definition="Condition, or order of conditions, that the group was assigned to, "
                "whatever was played.",
                source="draws",
            ),
            *factor_columns(context.study, "the person or the group"),
            Column(
                name="is_assigned",
                definition="Whether the person belongs to the analysis by assigned condition: "
                "the first task of the group began.",
                kind="boolean",
                source="draws",
            ),
            Column(
                name="is_per_protocol",
                definition="Whether the group completed all its tasks with nobody substituted, and "
                "nobody of it has withdrawn.",
                kind="boolean",
                source="draws, matches, episodes",
            ),
            Column(
                name="has_withdrawn",
                definition="Whether the person has withdrawn, by stopping or later: nothing else "
                "of theirs is exported.",
                kind="boolean",
                source="visits",
            ),
            *(
                Column(
                    name=f"agreed_to_{name}",
                    definition=f"Whether the person agreed to {what}; empty: never asked.",
                    kind="boolean",
                    source="consents",
                )
                for name, what in _PERMISSIONS.items()
            ),
            Column(
                name="n_episodes",
                definition="Attempts of the person that were judged, without practice.",
                kind="integer",
                source="episodes",
                is_outcome=True,
            ),
        ),
    )


_PERMISSIONS = {
    "research": "take part, and to what was recorded being analysed",
    "sharing": "recordings being given to other researchers",
    "training": "models being trained on recordings",
    "replay": "being replayed as somebody's partner",
}


def participants_rows(context: ExportContext) -> Iterator[dict[str, Value]]:
    """Yield a row for each participant, in the order of arrival."""
    stored, study = context.stored, context.study
    consents = {consent.visit_id: consent for consent in stored.consents}
    entry = entry_levels_of(stored)
    attempts: Counter[str] = Counter()
    for episode in context.episodes:
        if episode.percent_complete is not None and not context.is_practice(episode):
            attempts.update(context.people_of_session.get(episode.session_id, ()))
    for visit in context.visits:
        person = visit.participant_id
        group = context.group_of_person.get(person)
        consent = consents.get(visit.visit_id)
        condition = "" if group is None else group.condition
        drawn = None if group is None else group.drawn
        stratum = entry.get(person, "") or ("" if drawn is None else drawn.stratum)
        yield {
            "participant_id": context.pseudonym(person),
            "study_id": study.name,
            "study_version": study.version,
            "mode": study.mode,
            "language": visit.language,
            "group_id": None if group is None else group.group_id,
            "condition_assigned": condition,
            **factor_cells(context.factors, levels_of(study, condition, stratum)),
            "is_assigned": group is not None and group.is_assigned,
            "is_per_protocol": group is not None and group.is_per_protocol,
            "has_withdrawn": visit.withdrawn_at is not None,
            **{
                f"agreed_to_{name}": None if consent is None else bool(getattr(consent, name))
                for name in _PERMISSIONS
            },
            "n_episodes": attempts[person],
        }

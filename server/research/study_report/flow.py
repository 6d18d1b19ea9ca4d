"""Flow of participants and groups through a study, as CONSORT asks for it."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from server.research.study_report.export_tables import Export, Frame


class Arm(NamedTuple):
    """Groups of a condition, or of an order of conditions, that were drawn."""

    condition: str
    drawn: int
    given_up: int
    begun: int
    """Groups whose first task began: those of the analysis by assigned condition."""
    going_on: int
    lost: int
    completed: int
    withdrawn: int
    per_protocol: int
    people: int
    """People of the groups that began."""
    withdrew: int
    """People of those who withdrew their data."""
    analysed: int
    """Groups that began and whose attempts are compared; before outcomes are there, those left."""


class Flow(NamedTuple):
    """Numbers of a flow diagram.

    ``endings`` are visits without a group that began, by ending and the kind of page at which it
    was decided.
    """

    arrived: int
    consented: int
    left_before: int
    endings: list[tuple[str, int]]
    arms: list[Arm]


def _consented(export: Export) -> int:
    """Count those who consented: everybody in a release, which has no times.

    The times of whoever has withdrawn are left out of an export; that they had agreed is not.
    """
    visits, people = export.table("visits"), export.table("participants")
    if export.is_release:
        return int(visits["participant_id"].nunique())
    consented = set(visits.loc[visits["consented_at"] != "", "participant_id"])
    agreed = people.loc[people["agreed_to_research"].eq(True), "participant_id"]
    return len(consented.union(agreed))


def _with_data(export: Export, kept: Export, began: Frame) -> frozenset[str]:
    """Return groups of which there are data: nothing of one is left where somebody has withdrawn.

    In a release they are those of who agreed to sharing.
    """
    groups = export.table("groups")
    found = set(began["group_id"])
    if not export.is_release:
        found -= set(groups.loc[groups["has_withdrawn"].eq(True), "group_id"])
    if export.has_outcomes:
        episodes = kept.table("episodes")
        is_compared = episodes["is_assigned"].eq(True) & (episodes["try_index"] == 0)
        found &= set(episodes.loc[is_compared, "group_id"])
    return frozenset(found)


def _endings(visits: Frame) -> pd.Series[str]:
    """Return how visits ended, each with the page, which exports of earlier versions do not have.

    Being screened out at the check of the device, by answers, in practice and by a quiz are
    different reasons.
    """
    endings = visits["ending"].replace("", "still there")
    if "decided_at_page" not in visits:
        return endings
    pages = visits["decided_at_page"].where(visits["ending"] != "", visits["place"])
    return endings.where(pages == "", endings + " at " + pages)


def flow_of(export: Export, kept: Export) -> Flow:
    """Count people on arrival and groups from the draw on; ``kept`` is without what is excluded."""
    visits, people = export.table("visits"), export.table("participants")
    groups = export.table("groups")
    began = people[people["is_assigned"].eq(True)]
    before = visits[~visits["participant_id"].isin(began["participant_id"])]
    endings = _endings(before).value_counts()
    with_data = _with_data(export, kept, began)
    arms = []
    drawn = groups[groups["condition_assigned"] != ""]
    order = [cell.name for cell in export.study.cells]
    # Orders of several conditions come after the conditions.
    for condition in sorted(
        set(drawn["condition_assigned"]), key=lambda c: (order.index(c) if c in order else 99, c)
    ):
        mine = drawn[drawn["condition_assigned"] == condition]
        states = mine["state"].value_counts()
        people_began = began[began["condition_assigned"] == condition]
        arms.append(
            Arm(
                condition,
                len(mine),
                int(states.get("given_up", 0)),
                int(mine["is_assigned"].eq(True).sum()),
                int(states.get("begun", 0)),
                int(states.get("lost", 0)),
                int(states.get("completed", 0)),
                0 if export.is_release else int(mine["has_withdrawn"].eq(True).sum()),
                int(mine["is_per_protocol"].eq(True).sum()),
                len(people_began),
                0 if export.is_release else int(people_began["has_withdrawn"].eq(True).sum()),
                int(mine["group_id"].isin(with_data).sum()),
            )
        )
    return Flow(
        people["participant_id"].nunique(),
        _consented(export),
        before["participant_id"].nunique(),
        sorted(((str(name), int(n)) for name, n in endings.items()), key=lambda x: (-x[1], x[0])),
        arms,
    )

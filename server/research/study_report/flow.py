"""Flow of participants and groups through a study, as CONSORT asks for it."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import pandas as pd

from matchmaking.study.analysis import RETRIES
from server.research.study_report.export_tables import Export, Frame
from server.research.study_report.failed_first_tries import failed_of, retried


class Arm(NamedTuple):
    """Groups of a condition, or of an order of conditions, that were drawn.

    Drawn are those who wait, gave up or began; of those who began, some go on, are lost or have
    completed; those who completed are as the next three say; and those who began are analysed,
    withdrawn, or neither. Where a primary outcome is of tries after a failed one, those who are
    analysed have such a try, never failed a first one, or neither.
    """

    condition: str
    drawn: int
    waiting: int
    given_up: int
    begun: int
    """Groups whose first task began: those of the analysis by assigned condition."""
    going_on: int
    lost: int
    completed: int
    per_protocol: int
    """Groups that completed as their condition says, and of which nobody has withdrawn."""
    substituted: int
    """Groups that completed otherwise, with a policy in a person's place."""
    completed_withdrawn: int
    """Groups that completed, and of which somebody has withdrawn their data."""
    people: int
    """People of the groups that began."""
    withdrew: int
    """People of those who withdrew their data."""
    withdrawn: int
    """Groups that began, and of which somebody has withdrawn: nothing of them is analysed."""
    analysed: int
    """Groups that began and whose attempts are compared; before outcomes are there, those left."""
    without_attempts: int
    """Groups that began and have no attempt that is compared: none was judged, or all are
    excluded."""
    people_analysed: int = 0
    """People of the groups that are analysed, without those that are excluded."""
    retried: int = 0
    """Analysed groups of which a try after a failed one is compared."""
    never_failed: int = 0
    """Analysed groups that failed no first try, so that they have no such try."""
    unretried: int = 0
    """Analysed groups that failed and have none: not tried again, not judged, or excluded."""


class Flow(NamedTuple):
    """Numbers of a flow diagram, by people and, from the draw on, by groups.

    Endings are those of people without a group that began, each by ending and the kind of page at
    which it was decided: of whoever did not consent, and of whoever did.
    """

    arrived: int
    not_consented: int
    endings_before_consent: list[tuple[str, int]]
    consented: int
    left_before: int
    endings: list[tuple[str, int]]
    arms: list[Arm]
    has_retries: bool
    """Whether a primary outcome is of tries after a failed one."""


class _Tried(NamedTuple):
    """Groups that failed a first try, and those of which a try after one is compared."""

    failed: frozenset[str]
    retried: frozenset[str]


def _consented(export: Export, began: Frame) -> set[str]:
    """Return those who consented: everybody in a release, which has no times.

    The times of whoever has withdrawn are left out of an export; that they had agreed is not.
    """
    visits, people = export.table("visits"), export.table("participants")
    if export.is_release:
        return set(people["participant_id"])
    consented = set(visits.loc[visits["consented_at"] != "", "participant_id"])
    agreed = people.loc[people["agreed_to_research"].eq(True), "participant_id"]
    return consented.union(agreed, began["participant_id"]) & set(people["participant_id"])


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


def _counted(endings: pd.Series[str], people: set[str]) -> list[tuple[str, int]]:
    """Count endings of people, the most frequent first."""
    counts = endings.reindex(sorted(people)).fillna("still there").value_counts()
    found = ((str(name), int(n)) for name, n in counts.items())
    return sorted(found, key=lambda x: (-x[1], x[0]))


def flow_of(export: Export, kept: Export) -> Flow:
    """Count people on arrival and groups from the draw on; ``kept`` is without what is excluded."""
    visits, people = export.table("visits"), export.table("participants")
    groups = export.table("groups")
    began = people[people["is_assigned"].eq(True)]
    # Whoever came several times has the ending of the last visit.
    last = visits.drop_duplicates("participant_id", keep="last").set_index("participant_id")
    endings, everybody = _endings(last), set(people["participant_id"])
    consented = _consented(export, began)
    before = everybody - set(began["participant_id"])
    drawn = groups[groups["condition_assigned"] != ""]
    order = [cell.name for cell in export.study.cells]
    left = set(kept.table("participants")["participant_id"])
    with_data = _with_data(export, kept, began)
    tried = _tried(export, kept)
    return Flow(
        len(everybody),
        len(everybody - consented),
        _counted(endings, everybody - consented),
        len(consented),
        len(before & consented),
        _counted(endings, before & consented),
        [
            _arm(
                condition,
                drawn[drawn["condition_assigned"] == condition],
                began[began["condition_assigned"] == condition],
                with_data,
                left,
                tried,
                is_release=export.is_release,
            )
            # Orders of several conditions come after the conditions.
            for condition in sorted(
                set(drawn["condition_assigned"]),
                key=lambda c: (order.index(c) if c in order else len(order), c),
            )
        ],
        tried is not None,
    )


def _tried(export: Export, kept: Export) -> _Tried | None:
    """Return who failed and tried again; None: no primary outcome is of these, or none is there."""
    plan = export.study.analysis
    primary = () if plan is None else plan.primary
    if not export.has_outcomes or not any(h.outcome.startswith(RETRIES) for h in primary):
        return None
    analysed = retried(kept)
    if analysed is None:
        return None
    return _Tried(frozenset(failed_of(export)["group_id"]), frozenset(analysed["group_id"]))


def _arm(
    condition: str,
    mine: Frame,
    people: Frame,
    with_data: frozenset[str],
    left: Collection[str],
    tried: _Tried | None,
    *,
    is_release: bool,
) -> Arm:
    """Count the groups of a condition, and the people of those that began.

    ``left`` are people whom no rule excludes.
    """
    states, has_begun = mine["state"], mine["is_assigned"].eq(True)
    # A release has nobody who withdrew, and no column of it.
    is_withdrawn = has_begun & (False if is_release else mine["has_withdrawn"].eq(True))
    is_completed = has_begun & states.eq("completed")
    is_whole = is_completed & ~is_withdrawn
    is_analysed = has_begun & ~is_withdrawn & mine["group_id"].isin(with_data)
    nobody: frozenset[str] = frozenset()
    failed, again = (nobody, nobody) if tried is None else tried
    has_again = is_analysed & mine["group_id"].isin(again)
    has_failed = is_analysed & ~has_again & mine["group_id"].isin(failed)
    of_analysed = people["group_id"].isin(mine.loc[is_analysed, "group_id"])
    as_planned = is_whole & mine["is_per_protocol"].eq(True)
    return Arm(
        condition=condition,
        drawn=len(mine),
        waiting=int(states.eq("drawn").sum()),
        given_up=int(states.eq("given_up").sum()),
        begun=int(has_begun.sum()),
        going_on=int((has_begun & states.eq("begun")).sum()),
        lost=int((has_begun & states.eq("lost")).sum()),
        completed=int(is_completed.sum()),
        per_protocol=int(as_planned.sum()),
        substituted=int((is_whole & ~as_planned).sum()),
        completed_withdrawn=int((is_completed & is_withdrawn).sum()),
        people=len(people),
        withdrew=0 if is_release else int(people["has_withdrawn"].eq(True).sum()),
        withdrawn=int(is_withdrawn.sum()),
        analysed=int(is_analysed.sum()),
        without_attempts=int((has_begun & ~is_withdrawn & ~is_analysed).sum()),
        people_analysed=int((of_analysed & people["participant_id"].isin(left)).sum()),
        retried=int(has_again.sum()),
        never_failed=0 if tried is None else int((is_analysed & ~has_again & ~has_failed).sum()),
        unretried=int(has_failed.sum()),
    )

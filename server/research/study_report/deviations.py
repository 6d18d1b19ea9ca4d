"""Deviations of what was done from what the study froze, as far as an export tells them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence

from matchmaking.assignment.strata import strata_of
from matchmaking.study import Study
from server.research.study_report.exclusions import Excluded
from server.research.study_report.export_tables import Export, Frame
from server.research.study_report.methods import is_frozen_before


def deviations(export: Export, excluded: Sequence[Excluded]) -> Iterator[str]:
    """Yield each deviation as a sentence."""
    study, plan = export.study, export.study.analysis
    if plan is None:
        yield "No analysis was declared: everything in this report is exploratory."
    if export.is_release:
        yield (
            "This is made from a release: who did not agree to sharing, or has withdrawn, is "
            "missing, with the attempts of their group, so that its numbers are not those of the "
            "study's own export."
        )
    for look in export.table("unblindings").to_dict("records"):
        yield (
            f"Outcomes were seen before the study closed, {_on(look)}by {look['seen_by']}: "
            f"{look['seen_because']}."
        )
    for closing in export.table("closings").to_dict("records"):
        on = f" on {closing['changed_at'][:10]}" if "changed_at" in closing else ""
        name = closing["condition"]
        if closing["is_closed"]:
            yield f"An operator closed the condition {name}{on}: from then on it was not drawn."
        else:
            yield f"An operator opened the condition {name} again{on}."
    for rule in excluded:
        if rule.problem:
            yield f"The exclusion {rule.rule} was not applied: {rule.problem}."
    if is_frozen_before(export) is False:
        yield (
            f"The study was frozen on {export.manifest.frozen_at[:10]}, after the first person had "
            "arrived: the plan was not there before the data."
        )
    groups = export.table("groups")
    yield from _of_targets(study, groups)
    swapped = int(groups["substituted"].eq(True).sum())
    if swapped:
        yield f"In {swapped} groups a policy had the place of a person, at least for a while."
    yield from _of_episodes(export)


def _of_targets(study: Study, groups: Frame) -> Iterator[str]:
    """Yield where other numbers of groups completed than planned, also where none was drawn."""
    targets: Counter[str] = Counter()
    for arms in strata_of(study).match.values():
        for arm in arms:
            targets[arm.name] += arm.target
    done = Counter(groups.loc[groups["state"].eq("completed"), "condition_assigned"])
    other = {name: target for name, target in targets.items() if done[name] != target}
    if study.design.subjects != "within":
        for name, target in other.items():
            yield f"{name}: {_groups(done[name])} completed the study, planned were {target}."
    elif other:
        total = sum(done[name] for name in targets)
        orders = ", ".join(f"{name} {done[name]} of {target}" for name, target in targets.items())
        by_order = f"; by order: {orders}" if len(targets) > 1 else ""
        yield (
            f"{_groups(total)} completed the study, planned were {sum(targets.values())}{by_order}."
        )


def _of_watching(episodes: Frame) -> Iterator[str]:
    """Yield how many attempts operators watched, of which people were told nothing."""
    if "watched" not in episodes:
        return
    watched = episodes[episodes["watched"].eq(True)]
    if not watched.empty:
        minutes = watched["watched_s"].sum() / 60
        yield (
            f"Operators watched {len(watched)} of {len(episodes)} attempts live, for {minutes:.1f} "
            f"minutes in all, of {_groups(watched['group_id'].nunique())}."
        )


def _groups(count: int) -> str:
    return f"{count} {'group' if count == 1 else 'groups'}"


def _on(look: Mapping[Hashable, str]) -> str:
    """Return the day of a look; a release has none."""
    return f"on {look['seen_at'][:10]} " if "seen_at" in look else ""


def _of_episodes(export: Export) -> Iterator[str]:
    episodes = export.table("episodes")
    if episodes.empty:
        return
    for name, what in (
        ("server_version", "versions of Cohabit"),
        ("profile_digest", "rule profiles"),
        ("evaluator_version", "versions of the evaluator"),
    ):
        found = sorted(set(episodes[name]) - {""})
        if len(found) > 1:
            yield f"Episodes were played with several {what}: {', '.join(found)}."
    yield from _of_watching(episodes)
    both = episodes[(episodes["verdict_shown"] != "") & (episodes["verdict_final"] != "")]
    differ = int((both["verdict_shown"] != both["verdict_final"]).sum())
    if differ:
        yield f"In {differ} episodes the final verdict differs from the one that was shown."
    without = int(episodes["is_from_log"].eq(False).sum())
    if without:
        yield (
            f"{without} of {len(episodes)} episodes have no recording that can be read: their "
            "verdict is the one that was shown, and they have no measures."
        )

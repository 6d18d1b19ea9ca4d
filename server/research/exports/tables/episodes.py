"""Table of episodes: attempts at tasks, with the verdict that was shown and the final one."""

from __future__ import annotations

from collections.abc import Sequence

from episodes.evaluation import Verdict
from matchmaking.study.treatment import Explanation
from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.exports.context import ExportContext
from server.research.exports.played_episodes import PlayedEpisode
from server.research.exports.study_groups import Group, levels_of
from server.research.exports.tables import retries
from server.research.exports.tables.factors import factor_cells, factor_columns
from server.sessions.spec import TICK_RATE
from server.store.models import EpisodeRow
from server.store.study_groups import attempts_of


def episodes_table(context: ExportContext) -> Table:
    """Return the table's columns."""
    return Table(
        name="episodes",
        row="attempt at a task",
        # How many attempts a task took tells whether the first succeeded.
        is_outcome=True,
        columns=(
            Column(
                name="episode_id",
                definition="Id of the episode in the database, the log and replays.",
                in_release="Id of the episode in this release alone.",
                source="episodes",
            ),
            Column(name="group_id", definition="Group that played it.", source="matches"),
            Column(name="session_id", definition="Session that it is of.", source="episodes"),
            Column(
                name="order_index",
                definition="Position in the session, from 0.",
                kind="integer",
                source="episodes",
            ),
            Column(
                name="condition_assigned",
                definition="Condition, or order of conditions, that the group was assigned to.",
                source="draws",
            ),
            Column(
                name="condition",
                definition="Condition that it was played in; empty: none.",
                source="matches",
            ),
            *factor_columns(context.study, "the condition that it was played in"),
            Column(
                name="is_assigned",
                definition="Whether it belongs to the analysis by assigned condition: an attempt "
                "with a final verdict other than unavailable, no practice, of a group with a "
                "condition.",
                kind="boolean",
                source="draws, episodes",
            ),
            Column(
                name="is_per_protocol",
                definition="Whether it also is of a group that completed all its tasks with nobody "
                "substituted, and of which nobody has withdrawn.",
                kind="boolean",
                source="draws, matches, episodes",
            ),
            Column(
                name="substituted",
                definition="Whether a policy had a person's place in it.",
                kind="boolean",
                source="episodes",
            ),
            Column(
                name="watched",
                definition="Whether an operator watched it live; empty: it is not known.",
                kind="boolean",
                source="episodes",
            ),
            Column(
                name="watched_s",
                definition="Time for which at least one operator watched it live.",
                kind="number",
                unit="s",
                source="episodes",
            ),
            Column(
                name="is_practice",
                definition="Whether the task was for practice.",
                kind="boolean",
                source="matches",
            ),
            Column(name="task_id", definition="Task; PARTNR's episode_id.", source="episodes"),
            Column(name="scene_id", definition="House.", source="episodes"),
            Column(
                name="dataset",
                definition="Set of tasks, below the data directory.",
                source="episodes",
            ),
            Column(
                name="try_index",
                definition="Number of the attempt at the task by this group, from 0.",
                kind="integer",
                source="episodes",
            ),
            Column(
                name="seed",
                definition="Seed of the episode: it decides where bodies start, and what robots "
                "draw.",
                kind="integer",
                source="matches, sessions",
            ),
            Column(
                name="started_at", definition="Time of opening.", kind="time", source="episodes"
            ),
            Column(
                name="ended_at",
                definition="Time of the end; empty: it has none yet.",
                kind="time",
                source="episodes",
            ),
            Column(
                name="ticks",
                definition="Steps of the simulator from start to end.",
                kind="integer",
                unit="1/30 s",
                source="episodes",
            ),
            Column(
                name="duration_s",
                definition="Time from start to end, as the session counted it.",
                kind="number",
                unit="s",
                source="episodes",
            ),
            Column(
                name="lost_ticks",
                definition="Steps that were played and are in no log.",
                kind="integer",
                unit="1/30 s",
                source="episodes",
            ),
            Column(
                name="clock_ticks",
                definition="Steps between the start and that of the task's clock.",
                kind="integer",
                unit="1/30 s",
                source="episodes",
            ),
            Column(
                name="end_reason",
                definition="finished, time_limit, success, left, operator, failed or abandoned.",
                source="episodes",
            ),
            Column(
                name="success",
                definition="Whether the task was done, by the final verdict.",
                kind="boolean",
                source="log, else episodes",
            ),
            Column(
                name="percent_complete",
                definition="Share of the goals that hold and count, by the final verdict.",
                kind="number",
                unit="share from 0 to 1",
                source="log, else episodes",
            ),
            Column(
                name="n_failed_propositions",
                definition="Goals that were never true, or do not count, by the final verdict.",
                kind="integer",
                source="log, else episodes",
            ),
            Column(
                name="n_failed_constraints",
                definition="Constraints that were broken, by the final verdict.",
                kind="integer",
                source="log, else episodes",
            ),
            Column(
                name="verdict_shown",
                definition="Verdict that was reached while people played: success, failure or "
                "unavailable; explanation_shown says what of it they saw.",
                source="episodes",
            ),
            Column(
                name="verdict_final",
                definition="Verdict of the log as it is scored at the export, by the version in "
                "final_evaluator_version; where no log can be read, the one that was shown.",
                source="log, else episodes",
            ),
            Column(
                name="percent_complete_shown",
                definition="Share of the goals, by the verdict that was shown.",
                kind="number",
                unit="share from 0 to 1",
                source="episodes",
            ),
            Column(
                name="explanation_shown",
                definition="Kind of explanation that people saw after it: none, verdict, partnr or "
                "ours.",
                source="matches",
            ),
            Column(
                name="until_next_s",
                definition="Time from its end to the opening of the session's next attempt, in "
                "which people read what was shown and answered questions about the attempt: no "
                "reading took longer. Empty: there was no next one.",
                kind="number",
                unit="s",
                source="episodes",
            ),
            *retries.COLUMNS,
            Column(
                name="explanation",
                definition="PARTNR's text for the verdict that was shown, in all conditions: "
                "whether anybody saw it is in explanation_shown.",
                source="episodes",
            ),
            Column(
                name="is_from_log",
                definition="Whether the final verdict is that of the log; the table leftout says "
                "why not.",
                kind="boolean",
                source="log",
            ),
            *(
                Column(name=name, definition=definition, source="episodes")
                for name, definition in _VERSIONS.items()
            ),
            Column(
                name="final_evaluator_version",
                definition="Version of the evaluator of the final verdict.",
                source="log, else episodes",
            ),
        ),
    )


_VERSIONS = {
    "simulator": "Simulator.",
    "simulator_version": "Version of the simulator.",
    "profile": "Rule profile.",
    "profile_digest": "Digest of the rule profile.",
    "semantics": "Semantics of the evaluator.",
    "evaluator_version": "Version of the evaluator of the verdict that was shown.",
    "scene_digest": "Digest of the house.",
    "server_version": "Version of Cohabit.",
}


def seed_of(group: Group, task_id: str) -> int | None:
    """Return the seed that a task's place in the plan has, else that of the session."""
    tasks = () if group.plan is None else group.plan.tasks
    planned = next((task.seed for task in tasks if task.task_id == task_id), None)
    return group.session.seed if planned is None and group.session is not None else planned


def episode_row(
    context: ExportContext, played: PlayedEpisode, session: Sequence[EpisodeRow]
) -> dict[str, Value]:
    """Return the row of an episode; ``session`` are all of its session."""
    row = played.row
    group = context.group_of_session[row.session_id]
    shown, final = played.shown, played.verdict
    condition, is_practice = context.condition_of(row), context.is_practice(row)
    is_judged = final is not None and final.status != "unavailable"
    is_assigned = group.is_assigned and is_judged and not is_practice
    stratum = "" if group.drawn is None else group.drawn.stratum
    return {
        "episode_id": row.episode_id,
        "group_id": group.group_id,
        "session_id": row.session_id,
        "order_index": row.order_index,
        "condition_assigned": group.condition,
        "condition": condition,
        **factor_cells(context.factors, levels_of(context.study, condition, stratum)),
        "is_assigned": is_assigned,
        "is_per_protocol": is_assigned and group.is_per_protocol,
        "substituted": row.is_substituted,
        "watched": None if row.watched_s is None else row.watched_s > 0,
        "watched_s": row.watched_s,
        "is_practice": is_practice,
        "task_id": row.task_id,
        "scene_id": row.scene_id,
        "dataset": row.dataset,
        "try_index": row.try_index,
        "seed": seed_of(group, row.task_id),
        "started_at": row.opened_at,
        "ended_at": row.ended_at,
        "ticks": row.ticks,
        "duration_s": None if row.ticks is None else row.ticks / TICK_RATE,
        "lost_ticks": row.lost_ticks,
        "clock_ticks": row.clock_ticks,
        "end_reason": row.end_reason,
        "success": None if final is None else final.success,
        "percent_complete": None if final is None else final.percent_complete,
        "n_failed_propositions": None
        if final is None
        else sum(not (p.satisfied and p.valid) for p in final.propositions),
        "n_failed_constraints": None
        if final is None
        else sum(not constraint.satisfied for constraint in final.constraints),
        "verdict_shown": _in_a_word(shown),
        "verdict_final": _in_a_word(final),
        "percent_complete_shown": None if shown is None else shown.percent_complete,
        "explanation_shown": explanation_shown(context, row, session),
        "until_next_s": _until_next_s(row, session),
        "explanation": None if shown is None else shown.explanation,
        "is_from_log": played.summary is not None,
        **{name: getattr(row, name) for name in _VERSIONS},
        "final_evaluator_version": None if final is None else final.evaluator_version,
    }


def _in_a_word(verdict: Verdict | None) -> str | None:
    if verdict is None:
        return None
    if verdict.status == "unavailable":
        return "unavailable"
    return "success" if verdict.success else "failure"


def _until_next_s(row: EpisodeRow, session: Sequence[EpisodeRow]) -> float | None:
    """Return the time to the next attempt of a session."""
    later = (other for other in session if other.order_index > row.order_index)
    following = min(later, key=lambda other: other.order_index, default=None)
    if following is None or row.ended_at is None:
        return None
    return (following.opened_at - row.ended_at).total_seconds()


def explanation_shown(
    context: ExportContext, row: EpisodeRow, session: Sequence[EpisodeRow]
) -> Explanation | None:
    """Return what people were shown at the end of an episode; None: it has not ended."""
    plan = context.group_of_session[row.session_id].plan
    if plan is None or row.verdict is None:
        return None
    before = [episode for episode in session if episode.order_index <= row.order_index]
    return plan.explanation(row.task_id, attempts_of(before))

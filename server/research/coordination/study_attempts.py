"""Attempts of a study, from the folder of its export. Needs pandas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from server.research.coordination.attempts import (
    NO_VERDICT,
    PERSON,
    Attempt,
    Reading,
    Source,
    counted,
    named,
    values_of,
)
from server.research.study_report.export_tables import Export, Frame, ReportError, read_export
from server.research.study_report.outcome_values import counted as first_tries
from server.sessions.spec import TICK_RATE

NO_LOG = "no log of it can be read"
STOOD_IN = "a policy had a person's place in it"


def study_source(folder: Path) -> Source:
    """Read a study: first tries of the analysis by assigned condition. Raises ReportError."""
    export = read_export(folder)
    if not export.has_outcomes:
        raise ReportError(
            f"{folder} has no outcomes: close the study, and export it again; while it is open "
            "`cohabit study export --unblind-as` has them"
        )
    episodes = first_tries(export)
    if "seed" not in episodes:
        raise ReportError(f"{folder} is of an older version: export the study again")
    left_out: Counter[str] = Counter()
    found = list(_attempts(export, episodes, left_out))
    circumstances = _circumstances(export, episodes)
    limit_s = export.study.tasks.limit_s
    name = f"study {export.study.name}"
    return Source(name, found, circumstances, limit_s, dict(left_out))


def _attempts(export: Export, episodes: Frame, left_out: Counter[str]) -> Iterator[Attempt]:
    seats = dict(iter(export.table("seats").groupby("episode_id")))
    measures = dict(iter(export.table("measures").groupby("episode_id")))
    for row in episodes.to_dict("records"):
        episode_id = str(row["episode_id"])
        mine, measured = seats.get(episode_id), measures.get(episode_id)
        if mine is None or measured is None:
            left_out[NO_LOG] += 1
            continue
        if (
            row["substituted"] is True
            or (_has(mine, "participant_id") & _has(mine, "policy")).any()
        ):
            left_out[STOOD_IN] += 1
            continue
        if not isinstance(row["success"], bool):
            left_out[NO_VERDICT] += 1
            continue
        time_s, is_solved = _time_to_success(measured)
        occupants = [
            PERSON if seat["participant_id"] else str(seat["policy"])
            for seat in mine.to_dict("records")
        ]
        yield Attempt(
            tuple(sorted(occupants, key=lambda who: (who != PERSON, who))),
            str(row["task_id"]),
            str(row["scene_id"]),
            str(row["scene_digest"]),
            int(row["seed"]),
            values_of(
                _readings(measured),
                bool(row["success"]),
                float(row["percent_complete"]),
                float(row["duration_s"]),
            ),
            time_s,
            is_solved,
        )


def _has(seats: Frame, column: str) -> pd.Series:
    return seats[column].map(lambda value: bool(value) and not pd.isna(value))


def _readings(measured: Frame) -> Iterator[Reading]:
    for row in measured.to_dict("records"):
        value = row["value"]
        yield Reading(row["measure_id"], row["seat"], None if pd.isna(value) else float(value))


def _time_to_success(measured: Frame) -> tuple[float | None, bool]:
    rows: list[dict[Any, Any]] = measured[measured["measure_id"] == "time_to_success"].to_dict(
        "records"
    )
    if not rows or pd.isna(rows[0]["value"]):
        return None, False
    return float(rows[0]["value"]), rows[0]["is_censored"] is not True


def _circumstances(export: Export, episodes: Frame) -> dict[str, str]:
    study = export.study
    visits = export.table("visits")
    trips = pd.to_numeric(visits.get("rtt_median_ms", pd.Series(dtype=float)), errors="coerce")
    measures = export.table("measures")
    thinking = pd.to_numeric(
        measures[measures["measure_id"] == "think_time"]["value"], errors="coerce"
    ).dropna()
    latency = "not known" if trips.dropna().empty else f"{trips.median():.0f} ms round trip"
    if not thinking.empty:
        latency += f"; models answered after {thinking.mean():.1f} s"
    begun = pd.to_numeric(episodes["clock_ticks"], errors="coerce").fillna(0)
    limit = "no limit of its own" if study.tasks.limit_s is None else f"{study.tasks.limit_s:g} s"
    return {
        "pace": f"live, {TICK_RATE} ticks a second",
        "latency": latency,
        "reading": "people read task and chat while time runs; the task's clock began "
        f"{begun.mean() / TICK_RATE:.1f} s after the start",
        "rules": named(
            f"{one} {str(digest)[:8]}"
            for one, digest in zip(episodes["profile"], episodes["profile_digest"], strict=True)
        ),
        "ending": f"whoever is there has finished; limit: {limit}",
        "how it ended": counted(map(str, episodes["end_reason"])),
        "explanations": named(map(str, episodes["explanation_shown"])),
        "tasks in a row": f"up to {int(episodes['order_index'].max()) + 1 if len(episodes) else 0}",
        "simulator": named(
            f"{one} {version}"
            for one, version in zip(
                episodes["simulator"], episodes["simulator_version"], strict=True
            )
        ),
        "evaluator": named(map(str, episodes["final_evaluator_version"])),
    }

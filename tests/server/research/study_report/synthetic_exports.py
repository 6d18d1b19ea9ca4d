"""Synthetic exports: an export's own tables and codebook, filled from effects that are known."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from matchmaking.study import Study
from matchmaking.study.instruments.registry import scores as scores_of
from server.research.exports.cells import Value
from server.research.exports.codebook import codebook_json, codebook_markdown
from server.research.exports.columns import Table
from server.research.exports.context import ExportContext
from server.research.exports.dataset_description import manifest_json
from server.research.exports.export import UNBLINDINGS
from server.research.exports.export_folder import ExportFolder
from server.research.exports.stored_study import StoredStudy
from server.research.exports.study_groups import levels_of
from server.research.exports.tables import (
    constraints,
    episodes,
    events,
    groups,
    leftout,
    measures,
    participants,
    propositions,
    responses,
    scores,
    seats,
    visits,
)
from server.research.exports.tables.factors import factor_cells
from server.research.studies.manifest import Manifest

START = datetime(2026, 11, 2, 9, tzinfo=UTC)
LIMIT_S = 600.0
LEFT = [
    *[("no_consent", "consent")] * 4,
    *[("screened_out", "quiz")] * 2,
    ("screened_out", "device"),
    ("no_partner", "lobby"),
]
"""Endings of those who came into no group, each with the page at which it was decided."""


class Effects(NamedTuple):
    """Effects that the data are made with, by condition."""

    log_hazard: Mapping[str, float]
    """Logarithm of the hazard of success in a second, which does not change with time."""
    load: Mapping[str, float]
    """Shift of the items of the task load, which go from 0 to 20."""
    retry: Mapping[str, float] = {}
    """Chance that the try after a failed one succeeds; empty: there are no further tries."""
    satisfaction: Mapping[str, float] = {}
    """Shift of the answers about the explanation at the end, from 1 to 5; empty: not asked."""
    group_sd: float = 0.4
    task_sd: float = 0.3
    lost: float = 0.05


class _Writer:
    def __init__(self, study: Study, folder: ExportFolder, effects: Effects, seed: int) -> None:
        self.effects, self.rng = effects, np.random.default_rng(seed)
        # Of what not all data have, so that the rest is the same without it.
        self.more = np.random.default_rng(seed + 1)
        manifest = Manifest(
            study_name=study.name,
            version=study.version,
            frozen_at="2026-11-01T00:00:00+00:00",
            digests={"study": "3f1a9c", "code": "9be2d0", "evaluator": "11aa02"},
            study=study,
        )
        empty: list[Any] = []
        rest = (empty,) * (len(StoredStudy._fields) - 4)
        stored = StoredStudy(manifest, study.key, True, empty, *rest)
        self.context, self.folder, self.study = ExportContext(stored, "k" * 40), folder, study
        self.rows: dict[str, list[dict[str, Value]]] = {}
        self.n_retries = 0

    def add(self, table: str, **cells: Value) -> None:
        self.rows.setdefault(table, []).append(cells)

    def write(self, tables: list[Table]) -> None:
        for table in tables:
            file = self.folder.table(table)
            names = dict.fromkeys(table.names)
            file.add({**names, **row} for row in self.rows.get(table.name, ()))
        self.folder.text("codebook.json", codebook_json(self.context, tables))
        self.folder.text("codebook.md", codebook_markdown(self.context, tables))
        self.folder.text("manifest.json", manifest_json(self.context))

    def group(self, number: int, condition: str, tasks: Mapping[str, float]) -> None:
        """Make a group of one person with its tasks."""
        rng, effects = self.rng, self.effects
        is_lost = bool(rng.random() < effects.lost)
        name, person = f"group_{number:04d}", f"p{number:05d}"
        of_group = {
            "group_id": name,
            "condition_assigned": condition,
            **factor_cells(self.context.factors, levels_of(self.study, condition)),
            "is_assigned": True,
            "is_per_protocol": not is_lost,
            "has_withdrawn": False,
        }
        state = "lost" if is_lost else "completed"
        at = START + timedelta(minutes=7 * number)
        self.add("groups", **of_group, state=state, substituted=False, n_people=1, drawn_at=at)
        self.add("participants", **of_group, participant_id=person, study_id=self.study.name)
        self.visit(person, "partner_left" if is_lost else "completed", at)
        luck = rng.normal(0, effects.group_sd)
        chosen = list(rng.permutation(list(tasks)))[: 2 if is_lost else 4]
        for order, task in enumerate(chosen):
            self.episode(of_group, person, order, str(task), luck + tasks[str(task)], at)
        if effects.satisfaction and not is_lost:
            self.satisfaction(person, effects.satisfaction[condition], at)

    def visit(self, person: str, ending: str, at: datetime, page: str = "debrief") -> None:
        consented = None if ending == "no_consent" else at
        self.add(
            "visits",
            visit_id=f"v_{person}",
            participant_id=person,
            place="ended",
            ended_at_page=page,
            decided_at_page=page,
            ending=ending,
            arrived_at=at,
            consented_at=consented,
        )

    def episode(
        self,
        of_group: Mapping[str, Value],
        person: str,
        order: int,
        task: str,
        shift: float,
        at: datetime,
    ) -> None:
        """Make the attempt at a task, with its goals, measures and questionnaire."""
        rng, effects, condition = self.rng, self.effects, str(of_group["condition_assigned"])
        episode_id = f"epi_{of_group['group_id']}_{order}"
        time_s = float(rng.exponential(math.exp(-effects.log_hazard[condition] - shift)))
        success = time_s < LIMIT_S
        done = 3 if success else int(rng.integers(0, 3))
        broken = int(not success and rng.random() < 0.3)
        cells = {key: of_group[key] for key in of_group if key != "has_withdrawn"}
        self.add(
            "episodes",
            **cells,
            episode_id=episode_id,
            condition=condition,
            order_index=order,
            task_id=task,
            try_index=0,
            substituted=False,
            is_practice=False,
            success=success,
            percent_complete=done / 3,
            duration_s=min(time_s, LIMIT_S),
            n_failed_propositions=3 - done,
            n_failed_constraints=broken,
            end_reason="failed" if rng.random() < 0.02 else "finished",
            verdict_shown="success" if success else "failure",
            verdict_final="success" if success else "failure",
            is_from_log=True,
            server_version="0.1.0",
            simulator="household",
            profile="cohabit",
            evaluator_version="1.0.0",
            final_evaluator_version="1.0.0",
        )
        for index, kind in enumerate(("TemporalConstraint", "TerminalSatisfactionConstraint")):
            self.add(
                "constraints",
                episode_id=episode_id,
                constraint_index=index,
                constraint_type=kind,
                satisfied=not (broken and index == 0),
                n_invalid=broken * (index == 0),
            )
        for index in range(3):
            self.add(
                "propositions",
                episode_id=episode_id,
                proposition_index=index,
                satisfied=index < done,
                valid=True,
            )
        self.add(
            "seats",
            episode_id=episode_id,
            seat="human_0",
            participant_id=person,
            idle_s=float(rng.exponential(35)),
        )
        self.add(
            "measures",
            episode_id=episode_id,
            measure_id="time_to_success",
            measure_version=1,
            value=min(time_s, LIMIT_S),
            is_censored=not success,
        )
        if success:
            # One in each attempt that succeeds, so that its counts are those of successes.
            self.add(
                "measures",
                episode_id=episode_id,
                measure_id="error_missing_step",
                measure_version=1,
                seat="human_0",
                value=1,
                is_censored=False,
            )
        if effects.retry and not success:
            self.retry(cells, condition, episode_id, task, person)
        if rng.random() < 0.5:
            rule = str(rng.choice(["within_reach", "hands_full", "closed"], p=[0.6, 0.3, 0.1]))
            refused = {"episode_id": episode_id, "event": "refused", "reason": rule}
            self.add("events", **refused, tick=30, t_s=1.0, seat="human_0")
        self.load(person, episode_id, shift + effects.load[condition], at)

    def retry(
        self,
        cells: Mapping[str, Value],
        condition: str,
        episode_id: str,
        task: str,
        person: str,
    ) -> None:
        """Make the try after a failed one, in which one of two goals is named and both missed.

        Each ninth is not judged, and the group then tries again: such a try has values, too.
        """
        done = bool(self.more.random() < self.effects.retry[condition])
        mended = 1.0 if done else 0.5 * float(self.more.random() < 0.5)
        self.n_retries += 1
        for number in (1, 2) if self.n_retries % 9 == 0 else (1,):
            is_judged = number == 2 or self.n_retries % 9 > 0
            of_try = f"{episode_id}_try{number}"
            verdict = ("success" if done else "failure") if is_judged else "unavailable"
            self.add(
                "episodes",
                **{**cells, "is_assigned": is_judged},
                episode_id=of_try,
                condition=condition,
                order_index=10 * int(episode_id[-1]) + number,
                task_id=task,
                try_index=number,
                substituted=False,
                is_practice=False,
                success=done if is_judged else None,
                percent_complete=(1.0 if done else 0.5) if is_judged else None,
                explained_before=condition,
                retry_success=done if is_judged else None,
                retry_mended=mended if is_judged else None,
                is_from_log=True,
                verdict_shown=verdict,
                verdict_final=verdict,
            )
            idle = float(self.more.exponential(35))
            seat: dict[str, Value] = {"seat": "human_0", "participant_id": person}
            self.add("seats", **seat, episode_id=of_try, idle_s=idle)

    def satisfaction(self, person: str, shift: float, at: datetime) -> None:
        """Make the answers about the explanation on the page at the end, which is of no attempt."""
        common = 3 + shift + self.more.normal(0, 0.7)
        items = [name for name in self.context.questions if name.startswith("explanation")]
        answers = {
            item: float(np.clip(round(common + self.more.normal(0, 0.7)), 1, 5)) for item in items
        }
        page: dict[str, Value] = {"participant_id": person, "page_id": "survey"}
        for item, value in answers.items():
            asked: dict[str, Value] = {"question_id": item, "attempt": 1, "is_exported": True}
            self.add("responses", **page, **asked, value=value, answered_at=at)
        for score, found in scores_of(answers).items():
            self.add("scores", **page, score_id=score, value=found)

    def load(self, person: str, episode_id: str, shift: float, at: datetime) -> None:
        """Make the answers to NASA-TLX, whose items have one thing in common."""
        common = 10 + shift + self.rng.normal(0, 3)
        answers = {}
        for item in self.context.questions:
            if item.startswith("nasa_tlx"):
                answers[item] = float(np.clip(round(common + self.rng.normal(0, 3)), 0, 20))
        occasion: dict[str, Value] = {
            "participant_id": person,
            "page_id": "after_each",
            "episode_id": episode_id,
        }
        for item, value in answers.items():
            told: dict[str, Value] = {
                "question_id": item,
                "value": value,
                "attempt": 1,
                "is_exported": True,
            }
            self.add("responses", **occasion, **told, answered_at=at)
        for score, found in scores_of(answers).items():
            self.add("scores", **occasion, score_id=score, value=found)


def write_synthetic(
    target: Path, study: Study, effects: Effects, *, groups_each: int, n_tasks: int, seed: int = 0
) -> None:
    """Write an export with so many groups of each condition, and a few people who did not stay."""
    with ExportFolder(target) as folder:
        writer = _Writer(study, folder, effects, seed)
        tasks = {
            f"task_{n:02d}": float(writer.rng.normal(0, effects.task_sd)) for n in range(n_tasks)
        }
        number = 0
        for _ in range(groups_each):
            for cell in study.cells:
                number += 1
                writer.group(number, cell.name, tasks)
        for extra, (ending, page) in enumerate(LEFT):
            person = f"q{extra:05d}"
            writer.add("participants", participant_id=person, is_assigned=False)
            writer.visit(person, ending, START, page)
        text = "what people said is exported only where that is asked for (--with-texts)"
        writer.add("leftout", subject="table chat", lacks="all", reason=text)
        context = writer.context
        writer.write(
            [
                participants.participants_table(context),
                visits.TABLE,
                groups.groups_table(context),
                responses.TABLE,
                scores.TABLE,
                episodes.episodes_table(context),
                propositions.TABLE,
                constraints.TABLE,
                seats.TABLE,
                measures.TABLE,
                events.TABLE,
                UNBLINDINGS,
                leftout.TABLE,
            ]
        )

"""Questionnaires: scores by condition, and how reliable each is in these data."""

from __future__ import annotations

from typing import NamedTuple

from server.research.study_report.estimates import Mean, mean_of
from server.research.study_report.export_tables import Export, Frame
from server.research.study_report.outcome_values import NoValuesError, values_of


class Scored(NamedTuple):
    """A score: its reliability and its means; ``problem`` says why there is no reliability."""

    name: str
    title: str
    n_items: int
    n_answers: int
    alpha: float | None
    problem: str
    means: list[Mean]

    @property
    def is_opposed(self) -> bool:
        """Whether items do not go together: the mean of such a scale is of nothing in common."""
        return self.alpha is not None and self.alpha < 0


def scored(export: Export, conditions: list[str], error_rate: float) -> list[Scored]:
    """Return each score of the codebook that was asked for."""
    found = []
    for score in export.codebook["scores"]:
        answers = _answers(export, score["items"], score["reversed"])
        alpha, problem = cronbach(answers)
        try:
            values = values_of(export, f"scores.{score['name']}")
        except NoValuesError as error:
            found.append(_row(score, answers, alpha, problem or str(error), []))
            continue
        means = [mean_of(c, values[values["condition"] == c], error_rate) for c in conditions]
        found.append(_row(score, answers, alpha, problem, means))
    return found


def cronbach(answers: Frame) -> tuple[float | None, str]:
    """Return Cronbach's alpha of items in columns, or None and why there is none."""
    n_items = answers.shape[1]
    if n_items < 2:
        return None, "one item"
    if len(answers) < 2:
        return None, "fewer than two complete answers"
    total = float(answers.sum(axis=1).var())
    if not total:
        return None, "nothing varies"
    return n_items / (n_items - 1) * (1 - float(answers.var().sum()) / total), ""


def _answers(export: Export, items: list[str], turned: list[str]) -> Frame:
    """Return complete answers of those in the analysis, reversed items with their sign turned."""
    rows, people = export.table("responses"), export.table("participants")
    wanted = list(dict.fromkeys(items))
    if rows.empty:
        return rows.reindex(columns=wanted)
    kept = people.loc[people["is_assigned"].eq(True), "participant_id"]
    rows = rows[rows["question_id"].isin(wanted) & rows["participant_id"].isin(kept)]
    rows = rows[rows["value"].ne("")].sort_values("attempt", kind="stable")
    occasion = ["participant_id", "page_id", "episode_id"]
    rows = rows.drop_duplicates([*occasion, "question_id"], keep="last")
    wide = rows.assign(value=rows["value"].astype(float)).pivot(
        index=occasion, columns="question_id", values="value"
    )
    wide = wide.reindex(columns=wanted).dropna()
    return wide.assign(**{name: -wide[name] for name in turned if name in wide})


def _row(
    score: dict[str, object], answers: Frame, alpha: float | None, problem: str, means: list[Mean]
) -> Scored:
    title = f"{score['title']}: {score['source']}"
    return Scored(str(score["name"]), title, answers.shape[1], len(answers), alpha, problem, means)

"""Report of a study: what its export shows, as one page of HTML without anything beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup

from matchmaking.study.analysis import COLUMNS, Hypothesis
from server.page_environment import page_environment
from server.research.exports.tables.factors import PREFIX
from server.research.study_report.deviations import deviations
from server.research.study_report.estimates import (
    FEW_CLUSTERS,
    Difference,
    Mean,
    corrected,
    difference,
    mean_of,
)
from server.research.study_report.exclusions import without_excluded
from server.research.study_report.export_tables import Export, Frame
from server.research.study_report.failures import failures_of
from server.research.study_report.figures import differences_figure, means_figure
from server.research.study_report.flow import flow_of
from server.research.study_report.methods import methods_of, versions_of
from server.research.study_report.outcome_values import (
    CHOICES,
    NoValuesError,
    values_of,
)
from server.research.study_report.questionnaires import scored

ALPHA = 0.05
DECLARED = "by assigned condition"
"""Set of the data that the declared analysis is of: first tries, without what is excluded."""
SHARES = frozenset({"episodes.success", "episodes.percent_complete", "seats.work_share"})

_LABELS = {
    "episodes.success": "success rate",
    "episodes.percent_complete": "percent complete",
    "episodes.duration_s": "time of the attempt (s)",
    "seats.idle_s": "time without input (s)",
    "seats.distance_m": "way of the body (m)",
}


class Finding(NamedTuple):
    """A hypothesis with what the data say of it; ``problem`` says why they say nothing."""

    name: str
    text: str
    is_primary: bool
    outcome: str
    direction: str
    levels: tuple[str, str]
    means: list[Mean]
    found: list[tuple[str, Difference]]
    """Differences by set of the data; the first is the declared one."""
    p_corrected: float | None
    means_figure: Markup
    differences_figure: Markup
    is_share: bool
    problem: str = ""

    @property
    def main(self) -> Difference:
        """Difference in the declared set."""
        return self.found[0][1]


def report_of(export: Export) -> str:
    """Return the page."""
    study, plan = export.study, export.study.analysis
    alpha = ALPHA if plan is None else plan.sample.alpha
    values: dict[str, Any] = {
        "study": study,
        "title": study.title[study.languages[0]],
        "manifest": export.manifest,
        "plan": plan,
        "flow": flow_of(export),
        "few": FEW_CLUSTERS,
        "level": f"{100 * (1 - alpha):g} %",
        "has_outcomes": export.has_outcomes,
        "left_out": export.table("leftout").to_dict("records"),
        "versions": versions_of(export),
        "is_empty": False,
    }
    if export.has_outcomes:
        kept, excluded = without_excluded(export)
        conditions = _conditions(export)
        found = scored(kept, conditions, alpha)
        values |= {
            "conditions": conditions,
            "excluded": excluded,
            "findings": _findings(export, kept, alpha),
            "scores": found,
            "sources": list(dict.fromkeys(score.title for score in found)),
            "failures": failures_of(kept, conditions),
            "descriptive": _descriptive(kept, conditions, alpha),
            "is_empty": not conditions,
        }
    else:
        excluded = []
    values["deviations"] = list(deviations(export, excluded))
    values["methods"] = methods_of(export)
    return _TEMPLATES.get_template("report.html").render(**values)


def _conditions(export: Export) -> list[str]:
    """Return the conditions that were played, in the order of the study."""
    episodes = export.table("episodes")
    played = set(episodes.loc[episodes["is_assigned"].eq(True), "condition"])
    return [cell.name for cell in export.study.cells if cell.name in played]


def _findings(export: Export, kept: Export, alpha: float) -> list[Finding]:
    plan = export.study.analysis
    if plan is None:
        return []
    ordered = sorted(plan.hypotheses, key=lambda hypothesis: not hypothesis.is_primary)
    found = [_finding(export, kept, hypothesis, alpha) for hypothesis in ordered]
    primary = [one for one in found if one.is_primary]
    p_values = corrected([one.main.p for one in primary], plan.correction)
    family = [one._replace(p_corrected=p) for one, p in zip(primary, p_values, strict=True)]
    return family + [one for one in found if not one.is_primary]


def _finding(export: Export, kept: Export, hypothesis: Hypothesis, alpha: float) -> Finding:
    sets = {
        DECLARED: (kept, CHOICES[0], False),
        "without exclusions": (export, CHOICES[0], False),
        "per protocol": (kept, CHOICES[0], True),
        "best of tries": (kept, CHOICES[1], False),
    }
    found, problem, rows = [], "", None
    for name, (data, choice, per_protocol) in sets.items():
        try:
            values = values_of(data, hypothesis.outcome, choice, per_protocol=per_protocol)
        except NoValuesError as error:
            found.append((name, Difference(0, 0, problem=str(error))))
            problem = problem or (str(error) if name == DECLARED else "")
            continue
        values = values.assign(level=values[PREFIX + hypothesis.factor])
        rows = values if name == DECLARED else rows
        found.append((name, difference(hypothesis, values, alpha)))
    means = [] if rows is None else _means(export, rows, alpha)
    label = _LABELS.get(hypothesis.outcome) or COLUMNS.get(hypothesis.outcome, hypothesis.outcome)
    is_share = hypothesis.outcome in SHARES
    first, second = hypothesis.levels
    return Finding(
        hypothesis.name,
        hypothesis.text.strip(),
        hypothesis.is_primary,
        hypothesis.outcome,
        hypothesis.direction,
        hypothesis.levels,
        means,
        found,
        None,
        Markup("" if rows is None else means_figure(rows, means, label, is_share=is_share)),  # noqa: S704
        Markup(differences_figure(found, f"{first} less {second}: {label}")),  # noqa: S704
        is_share,
        problem,
    )


def _means(export: Export, rows: Frame, alpha: float) -> list[Mean]:
    return [
        mean_of(cell.name, mine, alpha)
        for cell in export.study.cells
        if len(mine := rows[rows["condition"] == cell.name])
    ]


def _descriptive(
    export: Export, conditions: list[str], alpha: float
) -> list[tuple[str, str, list[Mean]]]:
    """Return means of what was not declared, one row for each outcome of attempts."""
    found = []
    for outcome in ("episodes.success", "episodes.percent_complete", "episodes.duration_s"):
        try:
            rows = values_of(export, outcome)
        except NoValuesError:
            continue
        means = [mean_of(c, rows[rows["condition"] == c], alpha) for c in conditions]
        found.append((outcome, _LABELS[outcome], means))
    return found


_TEMPLATES = page_environment(Path(__file__).parent / "templates")


def _number(value: float | None) -> str:
    """Return a number with three digits that count."""
    if value is None or value != value:
        return "\N{EN DASH}"
    text = f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return text.replace("-", "\N{MINUS SIGN}")


def _p(value: float | None) -> str:
    if value is None:
        return "\N{EN DASH}"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


_TEMPLATES.filters.update(number=_number, p=_p)

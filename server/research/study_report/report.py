"""Report of a study: what its export shows, as one page of HTML without anything beside it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from server.page_environment import page_environment
from server.research.study_report.deviations import deviations
from server.research.study_report.estimates import FEW_CLUSTERS, Mean, mean_of
from server.research.study_report.exclusions import Excluded, without_excluded
from server.research.study_report.export_tables import Export
from server.research.study_report.failed_first_tries import failed_first_tries
from server.research.study_report.failures import failures_of
from server.research.study_report.findings import (
    LABELS,
    Finding,
    deviations_of,
    findings_of,
    interval_of,
)
from server.research.study_report.flow import flow_of
from server.research.study_report.methods import methods_of, versions_of
from server.research.study_report.outcome_values import NoValuesError, values_of
from server.research.study_report.questionnaires import scored

ALPHA = 0.05
_NAME = re.compile(r"\b(?=\w*\d)\w{8,}")
"""Names of sessions and episodes, which have digits, in a reason."""
_SHOWN = 3
"""Subjects that are named for each reason."""
DESCRIBED = (
    "episodes.success",
    "episodes.percent_complete",
    "episodes.duration_s",
    "episodes.retry_success",
    "episodes.retry_mended",
    "episodes.retry_named_mended",
)
"""Outcomes of attempts that are described, also where no hypothesis is about them."""


def report_of(export: Export) -> str:
    """Return the page."""
    study, plan = export.study, export.study.analysis
    alpha = ALPHA if plan is None else plan.sample.alpha
    flow = flow_of(export, without_excluded(export)[0] if export.has_outcomes else export)
    values: dict[str, Any] = {
        "study": study,
        "title": study.title[study.languages[0]],
        "manifest": export.manifest,
        "plan": plan,
        "flow": flow,
        "findings": [],
        "is_release": export.is_release,
        "few": FEW_CLUSTERS,
        "n_primary": 0 if plan is None else len(plan.primary),
        "level": f"{100 * (1 - alpha):g} %",
        "equivalence_level": f"{100 * (1 - 2 * alpha):g} %",
        "has_outcomes": export.has_outcomes,
        "left_out": missing_by_reason(export),
        "versions": versions_of(export),
        "is_empty": False,
    }
    excluded: list[Excluded] = []
    findings: list[Finding] = []
    if export.has_outcomes:
        kept, excluded = without_excluded(export)
        conditions = _conditions(export)
        found = scored(kept, conditions, alpha)
        findings = findings_of(export, kept, alpha)
        values |= {
            "conditions": conditions,
            "excluded": excluded,
            "findings": findings,
            "scores": found,
            "opposed": {f"scores.{score.name}" for score in found if score.is_opposed},
            "sources": list(dict.fromkeys(score.title for score in found)),
            "failures": failures_of(kept, conditions),
            "failed_first": failed_first_tries(export, kept, conditions),
            "descriptive": _descriptive(kept, conditions, alpha),
            "is_empty": not conditions,
        }
    values["deviations"] = [*deviations(export, excluded), *deviations_of(findings)]
    values["methods"] = methods_of(export, flow, excluded, findings)
    return _TEMPLATES.get_template("report.html").render(**values)


def missing_by_reason(export: Export) -> list[dict[str, Any]]:
    """Return what the export lacks by part and reason, the most frequent first.

    Reasons that name a thing, such as a session, are one reason.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for row in export.table("leftout").to_dict("records"):
        reason = _NAME.sub("\N{HORIZONTAL ELLIPSIS}", row["reason"])
        found.setdefault((row["lacks"], reason), []).append(row["subject"])
    rows = [
        {
            "count": len(subjects),
            "lacks": lacks,
            "reason": reason,
            "subjects": ", ".join(subjects[:_SHOWN]) + (", …" if len(subjects) > _SHOWN else ""),
        }
        for (lacks, reason), subjects in found.items()
    ]
    return sorted(rows, key=lambda row: (-row["count"], row["lacks"], row["reason"]))


def _conditions(export: Export) -> list[str]:
    """Return the conditions in the order of the study, also those of nobody; empty: none has."""
    episodes = export.table("episodes")
    if not episodes["is_assigned"].eq(True).any():
        return []
    return [cell.name for cell in export.study.cells]


def _descriptive(
    export: Export, conditions: list[str], alpha: float
) -> list[tuple[str, str, list[Mean]]]:
    """Return means of what was not declared, one row for each outcome of attempts."""
    found = []
    for outcome in DESCRIBED:
        try:
            rows = values_of(export, outcome)
        except NoValuesError:
            continue
        interval = interval_of(outcome, "episode")
        means = [mean_of(c, rows[rows["condition"] == c], alpha, interval) for c in conditions]
        found.append((outcome, f"{LABELS[outcome]} ({interval})", means))
    return found


_TEMPLATES = page_environment(Path(__file__).parent / "templates")


def _number(value: float | None) -> str:
    """Return a number with as many decimals as its size asks for, the same for all of that size."""
    if value is None or value != value:
        return "\N{EN DASH}"
    size = abs(value)
    decimals = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 1.005 else 3
    return f"{value:.{decimals}f}".replace("-", "\N{MINUS SIGN}")


def _p(value: float | None) -> str:
    if value is None:
        return "\N{EN DASH}"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _is_p(value: float) -> str:
    """Return a p value with its relation."""
    told = _p(value)
    return told if told.startswith("<") else f"= {told}"


def _two(value: float) -> str:
    return f"{value:.2f}".replace("-", "\N{MINUS SIGN}")


def _df(value: float) -> str:
    """Return degrees of freedom, which Welch's test gives as a fraction."""
    return f"{value:.1f}".removesuffix(".0")


_TEMPLATES.filters.update(number=_number, p=_p, is_p=_is_p, two=_two, df=_df)

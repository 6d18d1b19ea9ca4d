"""Methods paragraph and table of versions, from the manifest and the episodes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from matchmaking.study import Study
from matchmaking.study.analysis import Analysis
from matchmaking.study.pages import Play
from matchmaking.study.retry_rules import ANALYSED, has_retries
from server.research.studies.design_words import factors_varied, own_conditions
from server.research.studies.manifest import WORDS
from server.research.study_report.export_tables import Export

_VERSIONS = {
    "server_version": "Cohabit",
    "simulator": "simulator",
    "simulator_version": "version of the simulator",
    "profile": "rule profile",
    "profile_digest": "digest of the rule profile",
    "semantics": "semantics of the evaluator",
    "evaluator_version": "evaluator while people played",
    "final_evaluator_version": "evaluator of the final verdict",
}


def methods_of(export: Export) -> str:
    """Return a paragraph that an article can begin with."""
    study, plan = export.study, export.study.analysis
    play = study.page_of(Play)
    told = [
        f"The study {study.name} (version {study.version}, {study.mode}) varied "
        f"{factors_varied(study)}, in {len(study.cells)} conditions.",
        f"Tasks were drawn from the set {study.tasks.set}, dealt {study.tasks.dealt}, with "
        f"{study.tasks.tries} {'try' if study.tasks.tries == 1 else 'tries'} each.",
    ]
    if play is not None and play.episodes:
        told.append(f"Each group did {_tasks(study, play.episodes)}.")
    told.append(
        f"{_drawn(study)} when the first member of a group began to wait; the analysis is by "
        "assigned condition and counts groups whose first task began, whatever became of them."
    )
    told.append(
        f"{_which_try(plan)} Means of attempts have intervals from "
        "standard errors that are clustered by group and task at once (Cameron, Gelbach and Miller "
        "2011), with Student's t on the smaller number of clusters less one; those of success "
        "rates of attempts are Wilson's, with the effective sample size of these errors."
    )
    told += _sample(export)
    if plan is not None:
        told.append(
            f"Declared: alpha {plan.sample.alpha:g}, correction of the primary family "
            f"{plan.correction}, {plan.sample.per_level} {plan.unit}s for each level to find d = "
            f"{plan.sample.effect:g} with power {plan.sample.power:g}. Declared model: "
            f"{plan.model.strip()}."
        )
    before = " before data were collected" if is_frozen_before(export) else ""
    told.append(
        f"The study was frozen on {export.manifest.frozen_at[:10]} (manifest "
        f"{export.manifest.digest}){before}."
    )
    return " ".join(told)


def _tasks(study: Study, episodes: int) -> str:
    """Return how many tasks a group did; within subjects it did as many in each condition."""
    tasks = f"{episodes} {'task' if episodes == 1 else 'tasks'}"
    return f"{tasks} in each condition" if study.design.subjects == "within" else tasks


def _drawn(study: Study) -> str:
    """Say what was drawn for a group, and how."""
    if study.design.subjects != "within":
        return "Conditions were drawn by the server in permuted blocks"
    which = own_conditions(study) if study.factors else "its conditions"
    start = f"Each group played {which} one after another"
    match study.design.order:
        case "random":
            return f"{start}, in an order that the server drew for it"
        case "full":
            orders = "all possible orders"
        case _:
            orders = "the orders of a Williams design (Williams 1949)"
    return f"{start}, in one of {orders}, which the server drew in permuted blocks"


def is_frozen_before(export: Export) -> bool | None:
    """Tell whether the study was frozen before anybody arrived; None: the export has no times."""
    visits = export.table("visits")
    arrived = sorted({str(at) for at in visits.get("arrived_at", ())} - {""})
    if not arrived:
        return None
    frozen = datetime.fromisoformat(export.manifest.frozen_at)
    first = datetime.fromisoformat(arrived[0])
    # A time without a zone is one of UTC.
    return frozen.replace(tzinfo=frozen.tzinfo or UTC) <= first.replace(tzinfo=first.tzinfo or UTC)


def _which_try(plan: Analysis | None) -> str:
    """Say which of several tries is analysed, and of whom the second is."""
    first = "Of several tries at a task the first counts."
    return f"{first} {ANALYSED}" if has_retries(plan) else first


def _sample(export: Export) -> Iterator[str]:
    """Yield when, whence and in which languages people came."""
    visits, people = export.table("visits"), export.table("participants")
    days = sorted({str(at)[:10] for at in visits.get("arrived_at", ())} - {""})
    if days:
        yield f"People arrived from {days[0]} to {days[-1]} (UTC)."
    for rows, name, what in ((visits, "recruiter", "Links"), (people, "language", "Languages")):
        if name in rows:
            counts = rows[name].replace("", None).dropna().value_counts().sort_index()
            if len(counts):
                told = ", ".join(f"{value} {n}" for value, n in counts.items())
                yield f"{what}: {told}."


def versions_of(export: Export) -> list[tuple[str, str]]:
    """Return what was used, and which version or digest."""
    found = [
        (WORDS.get(part, part.replace(":", " ")), digest)
        for part, digest in sorted(export.manifest.digests.items())
    ]
    episodes = export.table("episodes")
    for name, what in _VERSIONS.items():
        if name in episodes:
            values = sorted(set(episodes[name]) - {""})
            found.append((what, ", ".join(values) or "unknown"))
    return found

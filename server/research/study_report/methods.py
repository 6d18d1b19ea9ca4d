"""Methods paragraph and table of versions, from the manifest and the episodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

from matchmaking.study import Study
from matchmaking.study.analysis import Analysis
from matchmaking.study.analysis_words import fit_of, taken_along, uncorrected_intervals
from matchmaking.study.declared_model import model_text, sample_unit
from matchmaking.study.pages import Play
from matchmaking.study.retry_rules import ANALYSED, has_retries
from server.research.studies.design_words import factors_varied, own_conditions
from server.research.studies.manifest import WORDS
from server.research.study_report.exclusions import Excluded
from server.research.study_report.export_tables import Export
from server.research.study_report.findings import Finding
from server.research.study_report.flow import Flow

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


def methods_of(
    export: Export, flow: Flow, excluded: Sequence[Excluded], findings: Sequence[Finding]
) -> str:
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
    told += _which_try(study)
    told += _sample(export)
    if export.has_outcomes:
        told += _exclusions(plan, excluded)
        groups = sum(arm.analysed for arm in flow.arms)
        people = sum(arm.people_analysed for arm in flow.arms)
        told.append(f"Analysed were {_counted(people, 'people')} in {_counted(groups, 'groups')}.")
    told += _tests(findings)
    if any(one.main.low is not None for one in findings) and plan is not None:
        told += _fits(findings)
        told.append(uncorrected_intervals(plan.sample.alpha))
    if export.has_outcomes:
        told.append(
            "Means of attempts, which describe, have intervals from standard errors that are "
            "clustered by group and task at once (Cameron, Gelbach and Miller 2011; the variance "
            "by each with the factor G / (G \N{MINUS SIGN} 1) for G clusters), with Student's t on "
            "the smaller number of clusters less one; those of success rates of attempts are "
            "Wilson's, with the effective sample size of these errors."
        )
    told += _declared(study)
    before = " before data were collected" if is_frozen_before(export) else ""
    told.append(
        f"The study was frozen on {export.manifest.frozen_at[:10]} (manifest "
        f"{export.manifest.digest}){before}."
    )
    told += _programs(export)
    return " ".join(told)


def _declared(study: Study) -> Iterator[str]:
    """Yield which samples and models the plan has, those of single hypotheses by their names."""
    plan = study.analysis
    if plan is None:
        return
    sizes: dict[str, list[str]] = {}
    models: dict[str, list[str]] = {}
    for one in plan.hypotheses:
        name = one.name.replace("_", " ")
        models.setdefault(model_text(study, one), []).append(name)
        if one.is_primary:
            sample, unit = plan.sample_of(one), sample_unit(study, one)
            size = (
                f"{sample.per_level} {unit}s for each level to find d = {sample.effect:g} with "
                f"power {sample.power:g}"
            )
            sizes.setdefault(size, []).append(name)
    yield (
        f"Declared: alpha {plan.sample.alpha:g}, correction of the primary family "
        f"{plan.correction}, {_by_name(sizes)}."
    )
    yield f"Declared {'model' if len(models) == 1 else 'models'}: {_by_name(models)}."


def _by_name(found: Mapping[str, Sequence[str]]) -> str:
    """Return what several hypotheses have, with their names where it is not the same for all."""
    if len(found) == 1:
        return next(iter(found))
    return "; ".join(f"{what} ({', '.join(names)})" for what, names in found.items())


def _counted(count: int, many: str) -> str:
    one = {"people": "person", "groups": "group", "attempts": "attempt"}[many]
    return f"{count} {one if count == 1 else many}"


def _exclusions(plan: Analysis | None, excluded: Sequence[Excluded]) -> Iterator[str]:
    """Yield the rules by which data were left out, in their order, with what each took away."""
    if plan is None or not excluded:
        yield "No data were excluded."
        return
    rules = []
    for rule in excluded:
        reason = rule.reason.strip().rstrip(".")
        counts = [
            _counted(count, many)
            for count, many in (
                (rule.attempts, "attempts"),
                (rule.people, "people"),
                (rule.groups, "groups"),
            )
            if count
        ]
        taken = "not applied" if rule.problem else ", ".join(counts) or "nothing"
        rules.append(f"{rule.rule} ({reason}): {taken}")
    yield f"Left out, as declared and in this order: {'; '.join(rules)}."
    yield from taken_along(plan)


def _tests(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield by which test each hypothesis was tested, on which numbers of units."""
    for rank in ("primary", "secondary"):
        told = [_test(one) for one in findings if one.rank == rank]
        if told:
            hypotheses = "hypothesis" if len(told) == 1 else "hypotheses"
            yield f"{rank.capitalize()} {hypotheses}: {'; '.join(told)}."


def _fits(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield how tests were computed, with the rule of their degrees of freedom."""
    fits: dict[str, list[str]] = {}
    for one in findings:
        if one.main.low is not None:
            fit = fit_of(one.comparison.model, is_within=one.comparison.is_within)
            fits.setdefault(fit, []).append(one.hypothesis.name.replace("_", " "))
    yield f"Tests were computed so: {_by_name(fits)}."


def _test(one: Finding) -> str:
    name, (first, second) = one.hypothesis.name.replace("_", " "), one.hypothesis.levels
    if one.main.low is None:
        return f"{name} was not tested ({one.problem or one.main.problem})"
    told = (
        f"{name} ({first} against {second}) by {one.comparison.test}, {one.sides}, on "
        f"{one.counted_units}"
    )
    if not one.comparison.held:
        return told
    fewer = f" ({one.main.fewer} of these on fewer conditions than planned)"
    return f"{told}, each with {one.mean_of_unit}{fewer if one.main.fewer else ''}"


def _programs(export: Export) -> Iterator[str]:
    """Yield the versions of the programs that people played with, and that computed this."""
    episodes, own = export.table("episodes"), ""
    versions = sorted(set(episodes.get("server_version", ())) - {""})
    if versions:
        yield f"People played with Cohabit {' and '.join(versions)}."
    try:
        own = version("cohabit")
    except PackageNotFoundError:
        return
    yield f"Figures were computed by Cohabit {own}."


def _tasks(study: Study, episodes: int) -> str:
    """Return how many tasks a group did; within subjects it did as many in each condition."""
    tasks = f"{episodes} {'task' if episodes == 1 else 'tasks'}"
    return f"{tasks} in each of its conditions" if study.design.subjects == "within" else tasks


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


def _which_try(study: Study) -> Iterator[str]:
    """Yield which of several tries is analysed, and of whom the second is."""
    if study.tasks.tries > 1:
        yield "Of several tries at a task the first counts."
    if has_retries(study.analysis):
        yield ANALYSED


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

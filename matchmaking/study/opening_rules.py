"""Rules for whoever opens a study: designs, pay and dates that would waste people's time.

They hold when a study is checked or opened, and not for one that runs: a date passes.
"""

from __future__ import annotations

from collections.abc import Iterator

from matchmaking.limits import AtDeadline
from matchmaking.study.analysis import RETRIES
from matchmaking.study.analysis_rules import analysis_problems, analysis_warnings
from matchmaking.study.conditions import Cell
from matchmaking.study.design_rules import unused_levels
from matchmaking.study.disclosure import wait_problems
from matchmaking.study.endings import Ending
from matchmaking.study.exclusion_rules import exclusion_problems
from matchmaking.study.problems import Problem
from matchmaking.study.retry_rules import retry_problems, retry_warnings
from matchmaking.study.study import Study

CODED = frozenset({"prolific", "mturk", "sona"})
"""Kinds of recruiters whose people go back with a code."""


PREFLIGHT = "preflight-"
"""Beginning of the names of copies of studies that are walked through and removed."""
OWN_LANGUAGES = ("en",)
"""Languages in which Cohabit has words of its own, as catalogues in ``server/web/locales``."""


def opening_problems(study: Study, today: str) -> Iterator[Problem]:
    """Yield what a study must not be opened with; ``today`` is a date such as 2026-12-31."""
    if study.is_open_play:
        return
    if study.name.startswith(PREFLIGHT):
        yield Problem(
            ("name",),
            f"expected a name that does not begin with {PREFLIGHT!r}: such studies are those of "
            "`cohabit preflight`, and are removed",
        )
    yield from _twins(study)
    yield from analysis_problems(study)
    yield from exclusion_problems(study)
    yield from retry_problems(study)
    if study.purpose != "confirmatory" or study.mode != "live":
        # Those of a confirmatory study are obstacles already.
        yield from unused_levels(study.cells, study.factors)
    yield from _cap_problems(study)
    yield from wait_problems(study.cells, study.pages)
    if not study.pay.has_hundredths:
        yield Problem(
            ("pay", "currency"),
            "expected a currency with hundredths, in which amounts are written and told, got "
            f"{study.pay.currency}: name another one",
        )
    if (rate := low_hourly(study)) is not None and not acknowledges_pay(study):
        yield Problem(
            ("pay", "hourly"),
            f"{_low(study, rate)}: raise it, or say so in the consent text and quote that sentence "
            "as `on_pay` of the consent page, in each language",
        )
    if study.withdraw_until and study.withdraw_until <= today:
        yield Problem(
            ("withdraw_until",),
            f"expected a date after today, until which people may withdraw their data, got "
            f"{study.withdraw_until}: name one after the study's end",
        )
    if study.recruiter.kind in CODED and Ending.COMPLETED not in study.recruiter.codes:
        yield Problem(
            ("recruiter", "codes"),
            f"expected a code for `completed`, without which nobody can hand in their work at "
            f"{study.recruiter.kind}: copy it from the study's page there",
        )


def opening_warnings(study: Study) -> Iterator[Problem]:
    """Yield what a researcher should know of a study that may be opened."""
    if (rate := low_hourly(study)) is not None and acknowledges_pay(study):
        yield Problem(("pay", "hourly"), f"{_low(study, rate)}, as the consent text says")
    yield from _lateness_warnings(study)
    yield from _bonus_warnings(study)
    foreign = [each for each in study.languages if each.partition("-")[0] not in OWN_LANGUAGES]
    if foreign:
        yield Problem(
            ("languages",),
            "the words of Cohabit itself (buttons, pay, the questions of the consent, the lobby, "
            f"the house) are in English so far, also where your texts are in {', '.join(foreign)}: "
            "invite people who read English too, and say so on the first page",
        )
    if study.latency is not None and len(study.cells) > 1:
        yield Problem(
            ("latency",),
            "who is far away can join few groups, so more often begins one, and is drawn another "
            "condition than who is near: conditions then differ in how far people are. Send people "
            "of one region, or compare round trips between conditions",
        )
    yield from _substitute_warnings(study)
    yield from _explanation_warnings(study)
    yield from retry_warnings(study)
    yield from analysis_warnings(study)


def _substitute_warnings(study: Study) -> Iterator[Problem]:
    """Yield that people know of a substitute of whom they are not to be told."""
    hiding = next((cell for cell in study.cells if cell.treatment.disclosure != "told"), None)
    if hiding is None or study.at_deadline is not AtDeadline.ROBOT or study.most_people < 2:
        return
    yield Problem(
        ("at_deadline",),
        f"whoever begins at the deadline knows that a program plays, though the condition "
        f"{hiding.name!r} has the disclosure {hiding.treatment.disclosure!r}: the lobby tells how "
        "long it is until a program takes the place of whoever has not come, and it begins at "
        "once. Write `end` or `survey`, or count groups with a substitute as told",
    )


def _explanation_warnings(study: Study) -> Iterator[Problem]:
    """Yield that outcomes come in part before the explanations that are compared."""
    explained = {cell.treatment.explanation for cell in study.cells}
    if study.analysis is None or len(explained) < 2:
        return
    for number, hypothesis in enumerate(study.analysis.hypotheses):
        if not hypothesis.is_primary or hypothesis.outcome.startswith(RETRIES):
            continue
        if hypothesis.outcome.startswith("episodes."):
            yield Problem(
                ("analysis", "hypotheses", number, "outcome"),
                f"{hypothesis.outcome} is of first tries, and the first task's first try comes "
                "before any explanation, which cannot act on it: reckon with a smaller difference, "
                "or take `episodes.retry_success`, which is of tries after a failed one",
            )
            return


def people_wanted(study: Study) -> int:
    """Return how many people complete a study when all its targets are full."""
    return sum(first.target * first.people for first, *_ in study.group_conditions)


def groups_wanted(study: Study) -> int:
    """Return how many groups do so; within subjects one fills a place of several conditions."""
    return sum(first.target for first, *_ in study.group_conditions)


def low_hourly(study: Study) -> int | None:
    """Return the pay of an hour where it is low; None: it is not, or nobody is paid."""
    pay = study.pay
    if not pay.is_paid:
        return None
    rates = [pay.hourly]
    if study.minutes:
        rates.append(round(_of_completed(study) * 60 / study.minutes))
    return min(rates) if min(rates) < pay.least_hourly else None


def acknowledges_pay(study: Study) -> bool:
    """Tell whether the consent text says in each language what is paid."""
    consent = study.consent
    return consent is not None and all(consent.on_pay.get(each) for each in study.languages)


def _low(study: Study, rate: int) -> str:
    pay = study.pay
    return (
        f"an hour earns {rate / 100:.2f} {pay.currency} at the least, which is low: recruiters ask "
        f"for {pay.least_hourly / 100:.2f}"
    )


def _of_completed(study: Study) -> int:
    """Return what a visit earns that completes in the time that it is said to take."""
    spent_s = (study.minutes or 0) * 60
    return study.owed(Ending.COMPLETED, spent_s=spent_s).total


def _lateness_warnings(study: Study) -> Iterator[Problem]:
    """Yield that whoever breaks off late earns more than whoever completes in the same time."""
    pay = study.pay
    if not pay.time_ceiling or not pay.hourly:
        return
    late_s = pay.time_ceiling * 3600 / pay.hourly
    if study.visit_limit_s is not None:
        late_s = min(late_s, study.visit_limit_s)
    stops = study.owed(Ending.WITHDREW, spent_s=late_s).total
    completes = study.owed(Ending.COMPLETED, spent_s=late_s).total
    if stops > completes:
        yield Problem(
            ("pay", "time_ceiling"),
            f"whoever stops late earns up to {stops / 100:.2f} {pay.currency}, and whoever "
            f"completes in the same time {completes / 100:.2f}: leave it out, or raise the base",
        )


def _cap_problems(study: Study) -> Iterator[Problem]:
    cap, most, each = study.pay.cap, study.most_of_a_visit, _of_completed(study)
    if cap is None or most is None or not each or cap < most:
        # Told elsewhere.
        return
    people = people_wanted(study)
    needed = (people - 1) * each + max(each, most)
    if cap < needed:
        paid = 1 + (cap - max(each, most)) // each
        yield Problem(
            ("pay", "cap"),
            f"expected at least {needed}, got {cap}: it pays for {paid} of the {people} people who "
            f"are wanted, at {each} each and {most} for the last, who may earn the most: raise it, "
            "or lower the targets",
        )


def _bonus_warnings(study: Study) -> Iterator[Problem]:
    """Yield that a cap pays everybody who is wanted only where few earn all the bonus."""
    cap, people = study.pay.cap, people_wanted(study)
    bonus = study.pay.bonus_per_success * (study.tasks_of_a_visit or 0)
    each = _of_completed(study)
    if cap is None or not bonus or cap >= people * (each + bonus):
        return
    yield Problem(
        ("pay", "cap"),
        f"{cap} pays the {people} people who are wanted {cap // people} each on average: {each}, "
        f"and of a bonus of up to {bonus} only a part. {people * (each + bonus)} is enough for all "
        "of it, waiting apart; `cohabit study simulate` tells what is likely",
    )


def _twins(study: Study) -> Iterator[Problem]:
    seen: list[Cell] = []
    for number, cell in enumerate(study.cells):
        twin = next((other for other in seen if _plays_as(other) == _plays_as(cell)), None)
        if twin is not None:
            yield Problem(
                ("cells", number),
                f"{cell.name!r} plays exactly as {twin.name!r} does, with the same team and the "
                "same treatment: give it what it is to differ in (team, `treatment`, `waits_like`)",
            )
        seen.append(cell)


def _plays_as(cell: Cell) -> tuple[object, ...]:
    return cell.team, cell.treatment, cell.least, cell.waits_like

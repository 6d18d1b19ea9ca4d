"""Obstacles to opening a study: what people must not be invited without."""

from __future__ import annotations

from collections.abc import Iterator

from matchmaking.study.design_rules import confounded
from matchmaking.study.problems import Problem
from matchmaking.study.study import Study


def obstacles(study: Study) -> Iterator[Problem]:
    """Yield what a sound study still lacks before people can be invited; open play lacks nothing.

    Codes that a recruiter needs are its class's to check.
    """
    if study.is_open_play:
        return
    consent = study.consent
    assert consent is not None, "a study without consent cannot be made"
    is_confirmatory = study.purpose == "confirmatory" and study.mode == "live"
    if is_confirmatory and study.analysis is None:
        yield Problem(
            ("analysis",),
            "expected the analysis of a confirmatory study, declared before there are data",
        )
    if is_confirmatory:
        yield from confounded(study.cells, study.factors)
    if not study.contact:
        yield Problem(("contact",), "expected an address that people can write to")
    if not study.researchers:
        yield Problem(("researchers",), "expected the names of those who do the study")
    if study.pay.is_paid and study.pay.cap is None:
        yield Problem(
            ("pay", "cap"), "expected the most that may be spent: a study that pays has a cap"
        )
    if study.pay.is_paid and study.most_of_a_visit is None:
        yield Problem(
            ("pay", "cap"),
            "a cap cannot hold where a visit can earn any amount: say how long a visit takes "
            "(`minutes`) or may take (`visit_limit_s`), and how many tasks it has where each "
            "success earns a bonus",
        )
    elif (cap := study.pay.cap) is not None and (study.most_of_a_visit or 0) > cap:
        yield Problem(
            ("pay", "cap"),
            f"expected at least {study.most_of_a_visit}, which one visit can earn, got {cap}",
        )
    if (cap := study.pay.cap) is not None and (study.pauses.spent or 0) > cap:
        yield Problem(("pauses", "spent"), f"expected at most {cap}, the cap of the pay")
    for number, cell in enumerate(study.cells):
        if cell.treatment.is_progress_live:
            yield Problem(
                ("cells", number, "treatment", "is_progress_live"),
                "expected false: pages that tick off goals while people play are not there yet",
            )
        if cell.treatment.viewport is not None:
            yield Problem(
                ("cells", number, "treatment", "viewport"),
                "expected nothing: pages with a fixed viewport are not there yet",
            )
    less = study.pays_less()
    for language in study.languages:
        if less and not consent.on_pay.get(language):
            yield Problem(
                ("pay", "endings"),
                f"it pays {', '.join(less)} less than the time spent: quote the sentence of the "
                f"consent text in {language!r} that says so, as `on_pay` of the consent page",
            )
        text = consent.text.get(language, "")
        if study.models_run_by and study.models_run_by not in text:
            yield Problem(
                ("models_run_by",),
                f"the consent text in {language!r} does not name {study.models_run_by!r}, who "
                "runs the model server",
            )

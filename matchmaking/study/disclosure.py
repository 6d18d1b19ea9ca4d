"""Disclosure: what a study owes to people who are not told of a partner, or of why they wait."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from matchmaking.study.conditions import Cell
from matchmaking.study.pages import Consent, Debrief, Page
from matchmaking.study.problems import Problem

_DATE = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")


def disclosure_problems(
    cells: Sequence[Cell], pages: Sequence[Page], languages: Sequence[str], withdraw_until: str
) -> Iterator[Problem]:
    """Yield what a study lacks that leaves people in the dark about their partner."""
    if withdraw_until and _DATE.fullmatch(withdraw_until) is None:
        yield Problem(
            ("withdraw_until",), f"expected a date such as 2026-12-31, got {withdraw_until!r}"
        )
    hiding = {c.treatment.disclosure: c.name for c in cells if c.treatment.disclosure != "told"}
    if not hiding:
        return
    disclosure, name = next(iter(hiding.items()))
    why = f"because the condition {name!r} has the disclosure {disclosure!r}"
    number, consent = next(
        ((n, page) for n, page in enumerate(pages) if isinstance(page, Consent)), (0, None)
    )
    for language in languages:
        if consent is not None and not consent.on_partners.get(language):
            yield Problem(
                ("pages", number, "on_partners"),
                f"expected the sentence of the consent text in {language!r} that says that the "
                f"partner may be a person or a program, {why}",
            )
    if not any(isinstance(page, Debrief) for page in pages):
        yield Problem(("pages",), f"expected a page 'debrief' at the end, {why}")
    if not withdraw_until:
        yield Problem(
            ("withdraw_until",),
            f"expected the date until which people may withdraw their data, {why}",
        )


def wait_problems(cells: Sequence[Cell], pages: Sequence[Page]) -> Iterator[Problem]:
    """Yield what a study lacks in which people wait though nobody is waited for."""
    yoked = next((cell for cell in cells if cell.waits_like), None)
    if yoked is not None and not any(isinstance(page, Debrief) for page in pages):
        yield Problem(
            ("pages",),
            f"expected a page 'debrief' at the end that says why people waited, because the "
            f"condition {yoked.name!r} waits like {yoked.waits_like!r} though nobody is waited for",
        )

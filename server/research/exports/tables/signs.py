"""Table of signs: of scripts, shared accounts and inattention, with the visits that gave them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from matchmaking.study.analysis import sign_column
from matchmaking.visit_signs import SignKind
from server.research.exports.cells import Value
from server.research.exports.columns import Column, Table
from server.research.exports.context import ExportContext
from server.store.visit_models import SignRow, VisitRow

_COLUMNS = (
    Column(name="visit_id", definition="Pseudonym of the visit.", source="visits"),
    Column(name="participant_id", definition="Pseudonym of the person.", source="visits"),
    Column(
        name="kind",
        definition="Kind of the sign: too_fast, long_pause, automated, regular_input, inattention, "
        "another_browser or same_browser.",
        source="signs",
    ),
    Column(
        name="page_id",
        definition="Page at which it was seen; arrival: on the way to the first.",
        source="signs",
    ),
    Column(
        name="seen_s",
        definition="Time from the arrival to the sign.",
        kind="number",
        unit="s",
        source="signs, visits",
        is_outcome=True,
    ),
    Column(
        name="spent_s",
        definition="Time at the page; empty: the kind is not too_fast or long_pause.",
        kind="number",
        unit="s",
        source="signs",
    ),
    Column(
        name="words",
        definition="Words that the page asks to be read; empty: the kind is not too_fast.",
        kind="integer",
        source="signs",
    ),
    Column(
        name="n_presses",
        definition="Presses of keys and pointer that were regular; empty: another kind.",
        kind="integer",
        source="signs",
    ),
    Column(
        name="press_gap_ms",
        definition="Mean time between these presses; empty: another kind.",
        kind="number",
        unit="ms",
        source="signs",
    ),
    Column(
        name="other_visit_id",
        definition="Pseudonym of the other visit in the same browser; empty: another kind, or the "
        "other person's data are left out.",
        source="signs",
    ),
)

COUNTS = tuple(
    Column(
        name=sign_column(kind).removeprefix("visits."),
        definition=f"Signs of the kind {kind}, one for each page; empty: the person did not "
        "agree, or has withdrawn.",
        kind="integer",
        source="signs",
    )
    for kind in SignKind
)
"""Columns of visits that count the signs of each kind, for rules of exclusion."""


def signs_table(context: ExportContext) -> Table:
    """Return the table; its rows tell outcomes where a hypothesis is about their number."""
    plan = context.study.analysis
    counts = {sign_column(kind) for kind in SignKind}
    is_outcome = plan is not None and any(h.outcome in counts for h in plan.hypotheses)
    return Table(
        name="signs",
        row="sign of a script, a shared account or inattention",
        columns=_COLUMNS,
        is_outcome=is_outcome,
    )


def signs_rows(context: ExportContext) -> Iterator[dict[str, Value]]:
    """Yield a row for each sign of those who agreed and have not withdrawn, visit by visit."""
    signs: dict[str, list[SignRow]] = {}
    for sign in told_signs(context):
        signs.setdefault(sign.visit_id, []).append(sign)
    told = {v.visit_id for v in context.visits if v.participant_id not in context.left_out}
    for visit in context.visits:
        for sign in signs.get(visit.visit_id, ()):
            yield _row(context, visit, sign, told)


def _row(
    context: ExportContext, visit: VisitRow, sign: SignRow, told: set[str]
) -> dict[str, Value]:
    detail, other = sign.detail, sign.detail.get("visit")
    return {
        "visit_id": context.pseudonym(visit.visit_id),
        "participant_id": context.pseudonym(visit.participant_id),
        "kind": sign.kind,
        "page_id": sign.page,
        "seen_s": (sign.seen_at - visit.arrived_at).total_seconds(),
        "spent_s": detail.get("spent_s"),
        "words": detail.get("words"),
        "n_presses": detail.get("presses"),
        "press_gap_ms": detail.get("gap_ms"),
        "other_visit_id": context.pseudonym(other) if other in told else None,
    }


def sign_counts(context: ExportContext) -> dict[str, dict[str, Value]]:
    """Return the cells of `COUNTS` by the visit, of those who agreed and have not withdrawn."""
    counts = Counter((sign.visit_id, sign.kind) for sign in told_signs(context))
    return {
        visit.visit_id: {
            column.name: counts[visit.visit_id, kind]
            for column, kind in zip(COUNTS, SignKind, strict=True)
        }
        for visit in context.visits
        if visit.participant_id not in context.left_out
    }


def told_signs(context: ExportContext) -> Iterator[SignRow]:
    """Yield the signs that are exported: none is by answers alone that are left out."""
    people = {visit.visit_id: visit.participant_id for visit in context.visits}
    for sign in context.stored.signs:
        if people.get(sign.visit_id, "") in context.left_out or sign.visit_id not in people:
            continue
        missed = sign.detail.get("questions", ())
        if missed and context.without.issuperset(missed):
            continue
        yield sign

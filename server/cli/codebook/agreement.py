"""`cohabit codebook agreement`: how far two coders say the same."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.codebook.books import BookName
from server.cli.codebook.finished import OfStudy, finished_with
from server.cli.stop import StopError
from server.cli.terminal import echo

if TYPE_CHECKING:
    from server.coding.agreement import Agreement
    from server.coding.notes import Coding


def agreement(
    name: BookName,
    study: OfStudy = "",
    unit_s: Annotated[
        float, typer.Option("--unit", min=0.1, max=60, help="Length (s) of a unit of time.")
    ] = 1.0,
    tolerance_s: Annotated[
        float,
        typer.Option("--tolerance", min=0, max=60, help="Most (s) between moments that match."),
    ] = 1.0,
    seed: Annotated[int, typer.Option(help="Seed of the intervals.")] = 0,
) -> None:
    """Print Cohen's kappa of each two coders over the episodes that both have finished.

    Kappa is over units of time, code by code, and its interval (95 %) a bootstrap over episodes. Of
    moments the share is printed, too, that both have within the tolerance (F1).
    """
    from server.coding.agreement import LEAST_EPISODES, agreement_on
    from server.sessions.spec import TICK_RATE

    book, found = finished_with(name, study)
    by_coder: dict[str, dict[str, Coding]] = {}
    for coding in found:
        by_coder.setdefault(coding.coder, {})[coding.episode_id] = coding
    compared = False
    for one, other in combinations(sorted(by_coder), 2):
        episodes = sorted(by_coder[one].keys() & by_coder[other].keys())
        if not episodes:
            continue
        compared = True
        rough = ": intervals are rough" if len(episodes) < LEAST_EPISODES else ""
        echo(f"{one} and {other}, {len(episodes)} episodes of both{rough}")
        width = max(len(code.code) for code in book.codes)
        echo(
            f"  {'code':<{width}}  kappa  95 %              agree  notes      matched within "
            f"{tolerance_s:g} s"
        )
        pairs = [(by_coder[one][e], by_coder[other][e]) for e in episodes]
        for code in book.codes:
            told = agreement_on(
                code,
                pairs,
                max(1, round(unit_s * TICK_RATE)),
                round(tolerance_s * TICK_RATE),
                Random(seed),
            )
            echo(f"  {_line(told, width)}")
    if not compared:
        raise StopError(
            f"no two coders have finished the same episode with {name}; finished so far: "
            + ", ".join(f"{coder} {len(done)}" for coder, done in sorted(by_coder.items()))
        )


def _line(told: Agreement, width: int) -> str:
    counts = told.counts
    agree = (counts.both + counts.neither) / max(1, sum(counts))
    kappa = "-" if told.kappa is None else f"{told.kappa:.2f}"
    interval = "-" if told.low is None else f"{told.low:.2f} to {told.high:.2f}"
    matched = "" if told.matched_share is None else f"{100 * told.matched_share:.0f} %"
    notes = f"{told.notes[0]} and {told.notes[1]}"
    return (
        f"{told.code:<{width}}  {kappa:>5}  {interval:<16}  {100 * agree:4.0f} %  {notes:<9}  "
        f"{matched}"
    ).rstrip()

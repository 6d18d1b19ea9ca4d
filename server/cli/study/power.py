"""`cohabit study power`: the sample that an effect needs."""

from __future__ import annotations

import math
from typing import Annotated

import typer

from server.cli.study.study_files import missing
from server.cli.terminal import echo, failed


def power(
    effect: Annotated[
        float, typer.Option(help="Cohen's d: difference in standard deviations of an episode.")
    ] = 0.175,
    alpha: Annotated[float, typer.Option(help="Error of the first kind.")] = 0.05,
    one_sided: Annotated[
        bool,
        typer.Option("--one-sided", help="Test one side only, as `greater` and `less` are tested."),
    ] = False,
    wanted: Annotated[float, typer.Option("--power", help="Power to reach.")] = 0.8,
    episodes: Annotated[int, typer.Option(min=1, help="Episodes of a group.")] = 1,
    tasks: Annotated[int, typer.Option(min=2, help="Different tasks.")] = 100,
    group_share: Annotated[
        float, typer.Option(help="Share of the variance that a group's episodes have in common.")
    ] = 0.0,
    task_share: Annotated[
        float, typer.Option(help="Share of the variance that attempts at a task have in common.")
    ] = 0.0,
    simulate: Annotated[
        int, typer.Option(min=0, help="Studies to simulate at each size; 0: none.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="Seed of the simulated studies.")] = 0,
) -> None:
    """Print the episodes of each condition that an effect needs, in closed form and simulated.

    The default is PARTNR's contrast of being slower than alone (d = 0.175, from its printed
    standard errors with n taken as 1000). Independent: other people and other tasks each time.
    Clustered: groups play several, tasks differ between conditions. Paired: the same tasks in both.
    A study's own sizes, by the sides of its hypotheses, are printed by `cohabit study check`.
    """
    try:
        from server.research.power.adequacy import number
        from server.research.power.closed_form import Goal, needed
        from server.research.power.clusters import Clusters
        from server.research.power.simulation import simulated_power
    except ModuleNotFoundError as error:
        raise missing(error) from error
    try:
        clusters = Clusters(
            episodes_per_group=episodes, tasks=tasks, group_share=group_share, task_share=task_share
        )
        goal = Goal(alpha, wanted, one_sided)
        sizes = needed(effect, clusters, goal)
    except ValueError as error:
        raise failed(error) from error
    alone = Clusters(tasks=10**6)
    rows = (
        ("independent", sizes.independent, alone, False),
        ("clustered", sizes.clustered, clusters, False),
        ("paired by task", sizes.paired, Clusters(tasks=tasks, task_share=task_share), True),
        ("paired by task and clustered", sizes.paired_and_clustered, clusters, True),
    )
    declared = f"d = {effect:g}, power {wanted:g}, alpha {alpha:g} {goal.sides}"
    echo(f"{declared}: episodes of each condition")
    for name, size, kind, is_matched in rows:
        told = f"{name}: {number(size)}"
        if simulate and size < 10**5:
            found = simulated_power(
                effect,
                max(math.ceil(size), 2 * kind.episodes_per_group),
                kind,
                # One side of a test at twice alpha is a one-sided test at alpha.
                alpha=2 * alpha if one_sided else alpha,
                is_matched=is_matched,
                studies=simulate,
                seed=seed,
            )
            told += f" (simulated power {found.power:.3f} ± {found.standard_error:.3f})"
        echo(told)

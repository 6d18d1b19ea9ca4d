"""`cohabit operator log`: what operators did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.databases import in_database
from server.cli.settings import read_settings
from server.cli.terminal import echo

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from server.store.operator_models import OperatorActRow


def log(
    last: Annotated[int, typer.Option(min=1, help="Number of lines.")] = 50,
    who: Annotated[str, typer.Option(help="Name of an account: only what it did.")] = "",
    study: Annotated[str, typer.Option(help="Name of a study: only what concerns it.")] = "",
    act: Annotated[str, typer.Option(help="Kind of act, such as watch or unblind.")] = "",
) -> None:
    """Print what operators did, the newest last: when, who, what, on what, with which outcome."""
    from server.store.operator_acts import Filter, acts_before

    async def work(db: AsyncSession) -> list[OperatorActRow]:
        return await acts_before(db, None, last, Filter(who, study, act))

    acts = in_database(read_settings(), work)
    for row in reversed(acts):
        told = f"{row.at:%Y-%m-%d %H:%M:%S}Z  {row.who}  {row.act}  {row.target or '-'}"
        of_study = f"  study {row.study}" if row.study and row.study != row.target else ""
        detail = f"  ({' '.join(row.detail.split())})" if row.detail else ""
        echo(f"{told}{of_study}  {row.outcome}{detail}")
    if not acts:
        echo("there is nothing of that kind in the log")

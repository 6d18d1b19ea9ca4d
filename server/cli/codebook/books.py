"""`cohabit codebook add` and its like: which codebooks there are."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from server.cli.databases import in_database
from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.cli.terminal import echo

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from server.coding.codebook import Codebook

BookName = Annotated[str, typer.Argument(help="Name of the codebook.")]
T = TypeVar("T")


def in_codings(work: Callable[[AsyncSession], Awaitable[T]], *, upgrades: bool = False) -> T:
    """Do something with codebooks and notes in one transaction. Raises StopError."""
    from server.store.codings import CodingError

    try:
        return in_database(read_settings(), work, upgrades=upgrades)
    except CodingError as error:
        raise StopError(str(error)) from error


def add(file: Annotated[Path, typer.Argument(help="Codebook, a YAML file.")]) -> None:
    """Add a codebook: replays of operators offer its codes from then on."""
    from episodes.bounded_files import MIB, UnreadableError, read_file
    from server.coding.codebook import CodebookError, read_codebook
    from server.store.codings import add_codebook
    from server.wall_clock import utc_now

    try:
        book = read_codebook(read_file(file, MIB).decode())
    except (OSError, UnreadableError, UnicodeDecodeError) as error:
        raise StopError(f"{file} cannot be read: {error}") from error
    except CodebookError as error:
        raise StopError("\n".join(p.told(str(file)) for p in error.problems)) from error

    async def work(db: AsyncSession) -> bool:
        return await add_codebook(db, book, utc_now())

    is_new = in_codings(work, upgrades=True)
    echo(
        f"{book.name}: {len(book.codes)} codes; replays at /operator offer them"
        if is_new
        else f"{book.name} is there already, and the same"
    )


def list_books() -> None:
    """List the codebooks with their codes."""
    from server.store.codings import codebooks

    async def work(db: AsyncSession) -> list[Codebook]:
        return await codebooks(db)

    books = in_codings(work)
    for book in books:
        echo(f"{book.name}: {book.title}")
        for code in book.codes:
            echo(f"  {code.code} ({code.shape}): {code.name}. {code.definition}")
    if not books:
        echo("there is no codebook: `cohabit codebook add FILE` adds one")


def remove(name: BookName) -> None:
    """Remove a codebook that nobody has used."""
    from server.store.codings import remove_codebook

    async def work(db: AsyncSession) -> None:
        await remove_codebook(db, name)

    in_codings(work)
    echo(f"{name} is removed")

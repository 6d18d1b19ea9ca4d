"""`cohabit codebook add` and its like: which codebooks there are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.databases import in_database
from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.cli.terminal import echo

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from server.coding.codebook import Codebook

BookName = Annotated[str, typer.Argument(help="Name of the codebook.")]
_LARGEST = 1_000_000


def add(file: Annotated[Path, typer.Argument(help="Codebook, a YAML file.")]) -> None:
    """Add a codebook: replays of operators offer its codes from then on."""
    from server.coding.codebook import CodebookError, read_codebook
    from server.store.codings import CodingError, add_codebook
    from server.wall_clock import utc_now

    try:
        if file.stat().st_size > _LARGEST:
            raise StopError(f"{file}: expected at most {_LARGEST} bytes")
        book = read_codebook(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise StopError(f"{file} cannot be read: {error}") from error
    except CodebookError as error:
        raise StopError("\n".join(p.told(str(file)) for p in error.problems)) from error

    async def work(db: AsyncSession) -> bool:
        return await add_codebook(db, book, utc_now())

    try:
        is_new = in_database(read_settings(), work, upgrades=True)
    except CodingError as error:
        raise StopError(str(error)) from error
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

    books = in_database(read_settings(), work)
    for book in books:
        echo(f"{book.name}: {book.title}")
        for code in book.codes:
            echo(f"  {code.code} ({code.shape}): {code.name}. {code.definition}")
    if not books:
        echo("there is no codebook: `cohabit codebook add FILE` adds one")


def remove(name: BookName) -> None:
    """Remove a codebook that nobody has used."""
    from server.store.codings import CodingError, remove_codebook

    async def work(db: AsyncSession) -> None:
        await remove_codebook(db, name)

    try:
        in_database(read_settings(), work)
    except CodingError as error:
        raise StopError(str(error)) from error
    echo(f"{name} is removed")

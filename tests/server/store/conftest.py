"""A database of each kind, upgraded to the present schema."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.store import Database


@pytest.fixture(params=["sqlite", "postgresql"])
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'cohabit.db'}"
    else:
        url = request.getfixturevalue("postgres_url")
    database = Database(url)
    await database.upgrade()
    yield database
    await database.close()

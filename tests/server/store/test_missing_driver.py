"""PostgreSQL without its driver: whoever asks for the database is told what to install."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from server.backups.database_copy import is_empty_postgres
from server.cli.doctor_checks import check_database, check_owner
from server.settings import Settings
from server.store import Database, DatabaseError
from server.store.member_lock import member_holder

URL = "postgresql://cohabit:secret@localhost/cohabit"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    return Settings(data_dir=tmp_path, database_url=URL, _env_file=None)


ASKED: dict[str, Callable[[Settings], object]] = {
    "the database": lambda settings: Database(settings.database),
    "its member": lambda settings: asyncio.run(member_holder(settings)),
    "its tables": lambda settings: asyncio.run(is_empty_postgres(settings.database)),
}


@pytest.mark.parametrize("asked", ASKED)
def test_a_missing_driver_is_named_with_the_extra_that_brings_it(
    settings: Settings, asked: str
) -> None:
    with pytest.raises(DatabaseError, match=r"needs the package asyncpg: .*cohabit\[postgres\]"):
        ASKED[asked](settings)


def test_the_doctor_tells_of_a_missing_driver_once(settings: Settings) -> None:
    assert check_owner(settings).level == "ok"
    finding = check_database(settings)
    assert finding.level == "problem"
    assert "secret" not in finding.text + finding.remedy
    assert "cohabit[postgres]" in finding.text + finding.remedy

"""Products of today's code, group by group, made once for all tests of this folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.server.compatibility.material import Place, place_in
from tests.server.compatibility.productions import GROUPS, Files

Made = Callable[[str], Files]


@pytest.fixture(scope="session")
def new_place(houses_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Place]:
    """Lays out a folder to work in, with the first house."""
    return lambda: place_in(tmp_path_factory.mktemp("compatibility"), houses_dir)


@pytest.fixture(scope="session")
def made(new_place: Callable[[], Place]) -> Made:
    """Yield the files of a group by name; what failed once fails for all that ask."""
    known: dict[str, Files | Exception] = {}

    def make(group: str) -> Files:
        if group not in known:
            try:
                known[group] = GROUPS[group](new_place())
            except Exception as error:
                known[group] = error
        found = known[group]
        if isinstance(found, Exception):
            raise found
        return found

    return make

"""Exports are what they were: houses, tasks, pictures, training sets, figures of probes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.server.compatibility.comparing import check, named, names_of
from tests.server.compatibility.productions import Files

pytestmark = pytest.mark.processes

GROUPS = ("training", "houses", "tasks", "probes")


@pytest.mark.parametrize(("group", "name"), named(*GROUPS))
def test_exports_are_what_they_were(made: Callable[[str], Files], group: str, name: str) -> None:
    check(made(group), name)


@pytest.mark.parametrize("group", GROUPS)
def test_no_export_has_gone_or_come(made: Callable[[str], Files], group: str) -> None:
    assert sorted(made(group)) == names_of(group)

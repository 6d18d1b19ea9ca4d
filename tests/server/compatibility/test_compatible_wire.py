"""Every byte that a browser is sent is what it was, with both codecs, in a seat and watching."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable

import pytest

from tests.server.compatibility.comparing import check, named, names_of
from tests.server.compatibility.material import stored
from tests.server.compatibility.productions import Files

pytestmark = pytest.mark.processes

GROUPS = ("wire", "messages")


@pytest.mark.parametrize(("group", "name"), named(*GROUPS))
def test_messages_are_what_they_were(made: Callable[[str], Files], group: str, name: str) -> None:
    check(made(group), name)


@pytest.mark.parametrize("group", GROUPS)
def test_no_message_has_gone_or_come(made: Callable[[str], Files], group: str) -> None:
    assert sorted(made(group)) == names_of(group)


def test_the_script_has_something_of_everything() -> None:
    """The comparison would prove little if everything was refused."""
    kinds: Counter[str] = Counter()
    for line in stored("wire/live_json.txt").decode().splitlines():
        kind, *fields = json.loads(line.split(" ", 3)[3])
        kinds[kind] += 1
        if kind == "f" and len(fields) > 7:
            kinds.update(f"{e[0]} {e[3]}" if e[0] == "did" else e[0] for e in fields[7])
    assert {
        "welcome", "snapshot", "f", "pong", "preview",
        "did pick", "did place", "did open", "did close", "no", "said", "phase", "limit", "sel",
    } <= set(kinds)  # fmt: skip

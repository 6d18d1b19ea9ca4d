"""Recordings of before are read and scored as they were; the same runs write the same logs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.server.compatibility import adapter
from tests.server.compatibility.comparing import check, named, names_of
from tests.server.compatibility.material import (
    sha256,
    stored,
    unpack_recordings,
    without_measured,
)
from tests.server.compatibility.productions import Files

pytestmark = pytest.mark.processes

GROUPS = ("plain_trials", "scores")
RECORDED = ("beside_expert", "expert", "failed", "live", "react")


@pytest.mark.parametrize(("group", "name"), named(*GROUPS))
def test_recordings_come_to_what_they_came_to(
    made: Callable[[str], Files], group: str, name: str
) -> None:
    check(made(group), name)


@pytest.mark.parametrize("group", GROUPS)
def test_no_file_has_gone_or_come(made: Callable[[str], Files], group: str) -> None:
    assert sorted(made(group)) == names_of(group)


def test_whole_prompts_are_read_out_of_a_log(tmp_path: Path) -> None:
    """Though the log has of each only what is new in it."""
    found = adapter.prompts_of(unpack_recordings(tmp_path / "logs") / "react.jsonl")
    assert len(found) == stored("recordings/react.jsonl").count(b'{"type":"model_call"') == 5
    for prompt, digest in found:
        assert len(prompt) > 1000
        assert sha256(prompt.encode()) == digest


@pytest.mark.parametrize("name", RECORDED)
def test_what_is_left_out_of_a_log_is_what_was_measured_and_no_more(name: str) -> None:
    log = stored(f"recordings/{name}.jsonl")
    left = without_measured(log)
    assert log.count(b"\n") == left.count(b"\n") > 50
    assert len(log) - len(left) < 0.1 * len(log)
    assert (b'"latency_s":0,' in left) == (name == "react")

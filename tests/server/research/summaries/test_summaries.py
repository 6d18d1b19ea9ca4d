"""Summaries of packed logs: the same as reading the log, and taken only while they are of it."""

from __future__ import annotations

import asyncio
import gzip
import os
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
import structlog

from server.recording.archive import archive
from server.recording.recorded_houses import RecordedHouses
from server.research.exports.played_episodes import Logs, PlayedEpisode, played_episodes
from server.research.measures.measure import Measure
from server.research.measures.registry import MEASURES
from server.research.summaries import summary_files, summary_program
from server.research.summaries.summariser import Summariser
from server.research.summaries.summary_files import (
    keep_summary,
    kept_summary,
    summarise,
    summary_path,
)
from server.robots.baselines.scripted_player import Speak
from server.settings import Settings
from server.store.models import EpisodeRow
from tests.server.recording.short_recordings import record

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def data_of_a_log(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("log")
    record(folder / "one.jsonl", script=lambda steps: [Speak("hello you"), *steps])
    archive(folder / "one.jsonl", folder / "archive")
    return (folder / "archive" / "one.jsonl.gz").read_bytes()


@pytest.fixture
def packed(data_of_a_log: bytes, tmp_path: Path) -> Path:
    file = tmp_path / "recordings" / "archive" / "one.jsonl.gz"
    file.parent.mkdir(parents=True)
    file.write_bytes(data_of_a_log)
    return file


def run(*logs: Path) -> int:
    """Run the program that the server starts; return its status."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["summary_program", str(logs[0].parent), *map(str, logs)])
        patch.setattr(os, "nice", lambda _: 0)
        return summary_program.main()


def played(packed: Path) -> PlayedEpisode:
    logs = Logs(packed.parents[1], packed.parent, packed.parents[2])
    row = cast(EpisodeRow, SimpleNamespace(session_id="one", episode_id="epi_one", verdict=None))
    (found,) = played_episodes([row], logs, MEASURES)
    return found


def test_what_is_kept_is_what_the_log_says(packed: Path) -> None:
    assert kept_summary(packed) is None
    assert run(packed) == 0
    found = summarise(packed, RecordedHouses(packed.parent))
    assert kept_summary(packed) == found
    (episode,) = found.episodes
    assert [result.name for result in episode.measures] == [m.name for m in MEASURES]
    assert [(e.seat, e.detail) for e in episode.events if e.event == "said"] == [("human_0", 2)]
    assert b"hello" not in gzip.decompress(summary_path(packed).read_bytes())
    assert summary_path(packed).stat().st_mode & 0o077 == 0


def test_an_export_reads_the_log_once_only(packed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = played(packed)
    assert first.summary is not None
    monkeypatch.delattr(summary_files, "read_recording")
    assert played(packed) == first


@pytest.mark.parametrize("what", ["measure", "evaluator", "log", "spoiled"])
def test_a_summary_of_something_else_is_not_taken(packed: Path, what: str) -> None:
    run(packed)
    measures: list[Measure] = list(MEASURES)
    file = summary_path(packed)
    if what == "measure":
        measures[0] = msgspec.structs.replace(measures[0], version=measures[0].version + 1)
    elif what == "evaluator":
        found: dict[str, Any] = msgspec.json.decode(gzip.decompress(file.read_bytes()))
        found["evaluator_version"] = "0.0.0"
        file.write_bytes(gzip.compress(msgspec.json.encode(found)))
    elif what == "log":
        packed.write_bytes(gzip.compress(gzip.decompress(packed.read_bytes()), 1))
    else:
        file.write_bytes(b"{}")
    assert kept_summary(packed, measures) is None


def test_a_log_that_cannot_be_read_is_told_and_the_others_are_done(
    packed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = packed.with_name("broken.jsonl.gz")
    broken.write_bytes(gzip.compress(b"no log\n"))
    assert run(broken, packed) == 1
    assert "broken.jsonl.gz" in capsys.readouterr().err
    assert kept_summary(packed) is not None


def test_an_export_goes_on_where_no_summary_can_be_kept(
    packed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("not yours")

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    with structlog.testing.capture_logs() as lines:
        assert played(packed).summary is not None
    assert [line["event"] for line in lines] == ["summary.not_kept"]


def test_nothing_is_left_of_a_summary_that_cannot_be_written(
    packed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError("No space left")

    found = summarise(packed, RecordedHouses(packed.parent))
    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="No space"):
        keep_summary(packed, found)
    assert [path.name for path in packed.parent.iterdir()] == [packed.name]


def test_the_server_has_packed_logs_summarised(packed: Path, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, _env_file=None)
    missing = packed.with_name("missing.jsonl.gz")
    with structlog.testing.capture_logs() as lines:
        asyncio.run(Summariser(settings).summarise([packed, missing]))
    assert kept_summary(packed) is not None
    (told,) = lines
    assert told["event"] == "recordings.not_summarised"
    assert told["reason"].startswith("missing.jsonl.gz:")

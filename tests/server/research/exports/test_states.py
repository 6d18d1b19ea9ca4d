"""States of an export: a row for each seat and tick, as the raw lines of a log say."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from episodes.bounded_files import LARGEST
from episodes.world import AgentMoved, AgentPose, HolderChanged
from server.cli.stop import StopError
from server.cli.study.export import refuse_without_pyarrow
from server.recording.recordings import read_recording
from server.research.exports.context import ExportContext
from server.research.exports.export import write_export
from server.research.exports.played_episodes import Logs
from server.research.exports.tables.states import StateReader
from server.research.measures.doings import doings_of
from tests.server.research.exports.made_data import KEY, Made, close_study, make, read

POSE = AgentPose((1.0, 0.0, 2.0), 0.5, 0.0)
LATER = AgentPose((1.5, 0.0, 2.0), 0.5, 0.0)


def test_a_state_holds_until_the_next() -> None:
    reader = StateReader(("human_0", "robot_0"))
    reader.take(90, (AgentMoved("human_0", POSE), AgentMoved("robot_0", POSE)))
    reader.started = 100
    reader.take(100, ())
    reader.take(102, (HolderChanged("cup", "human_0"),))
    reader.take(103, (AgentMoved("human_0", LATER),))
    reader.take(104, (HolderChanged("cup", None),))
    reader.ended = 105
    human, robot = reader.states()
    assert [human.held[i] for i in human.held_index] == [None, None, "cup", "cup", None, None]
    assert human.poses[:, 0].tolist() == [1.0, 1.0, 1.0, 1.5, 1.5, 1.5]
    assert robot.poses[:, 2].tolist() == [2.0] * 6


def test_an_episode_that_never_started_has_no_states() -> None:
    reader = StateReader(("human_0",))
    reader.take(90, (AgentMoved("human_0", POSE),))
    assert list(reader.states()) == []


def test_states_are_written_as_parquet_only_by_an_installation_that_can(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refuse_without_pyarrow()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(StopError, match=r"pip install 'cohabit\[parquet\]'"):
        refuse_without_pyarrow()


def exported(made: Made, target: Path) -> Path:
    """Export with states; return their file."""
    stored = read(made)
    logs = Logs(made.recordings_dir, made.recordings_dir / "archive", made.database_file.parent)
    found = write_export(
        ExportContext(stored, KEY),
        logs,
        target,
        with_outcomes=stored.is_closed,
        with_states=True,
    )
    file = target / "states.parquet"
    if file.exists():
        assert found.rows["states"] == pq.read_metadata(file).num_rows
    return file


@pytest.mark.processes
def test_states_are_what_the_raw_lines_say_and_the_same_bytes_each_time(tmp_path: Path) -> None:
    made = asyncio.run(make(tmp_path / "study"))
    blind = tmp_path / "blind"
    assert not exported(made, blind).exists(), "outcomes are left out while the study is open"
    left = (blind / "data" / "description-leftout_data.csv").read_text()
    assert "table states,outcomes" in left
    asyncio.run(close_study(made))
    file = exported(made, tmp_path / "one")
    assert file.read_bytes() == exported(made, tmp_path / "two").read_bytes()
    rows = pq.read_table(file).to_pylist()
    book = json.loads((tmp_path / "one" / "codebook.json").read_text())
    (table,) = (t for t in book["tables"] if t["name"] == "states")
    assert table["file"] == "states.parquet"
    assert [c["name"] for c in table["columns"]] == list(rows[0])
    # The validator of Psych-DS refuses variables that no CSV file has.
    described = json.loads((tmp_path / "one" / "dataset_description.json").read_text())
    named = {variable["name"] for variable in described["variableMeasured"]}
    assert "x_m" not in named
    assert "held_object" not in named
    assert "states.parquet" in (tmp_path / "one" / ".psychds-ignore").read_text()

    log = made.recordings_dir / "ses_one.jsonl"
    (recording,) = read_recording(log, LARGEST)
    ticks = doings_of(recording).trace.ticks
    human = [row for row in rows if row["seat"] == "human_0"]
    assert [row["tick"] for row in human] == list(range(ticks + 1))
    assert {row["episode_id"] for row in rows} == {"epi_1"}
    # Counted from the file, with nothing of ours.
    started, pose, held, n_compared = None, None, None, 0
    for line in map(json.loads, log.read_bytes().splitlines()):
        if line["type"] not in ("tick", "keyframe"):
            continue
        is_tick = line["type"] == "tick"
        for change in line.get("c", ()) if is_tick else line["changes"]:
            if change[:2] == ["agent", "human_0"]:
                pose = change[2]
            if change[0] == "holder":
                held = change[1] if change[2] == "human_0" else None
        if is_tick and any(event[:2] == ["phase", "running"] for event in line.get("e", ())):
            started = line["t"]
        if is_tick and started is not None and line["t"] - started <= ticks:
            row = human[line["t"] - started]
            assert pose is not None
            position, yaw, pitch = pose
            found = [row[name] for name in ("x_m", "y_m", "z_m", "yaw_rad", "pitch_rad")]
            assert found == pytest.approx([*position, yaw, pitch], abs=1e-5)
            assert row["held_object"] == held
            n_compared += 1
    assert n_compared > ticks / 2
    assert {row["held_object"] for row in human} > {None}

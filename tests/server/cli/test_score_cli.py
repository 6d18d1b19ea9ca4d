"""`cohabit score` and `cohabit metrics`."""

from __future__ import annotations

import csv
from pathlib import Path

import msgspec
import pytest
import typer
from typer.testing import CliRunner

from server.cli.metrics import metrics
from server.cli.score import score
from server.recording.archive import archive
from tests.server.recording.short_recordings import record

app = typer.Typer()
app.command()(score)
app.command()(metrics)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three recordings: two of one task, a failure of another."""
    found = tmp_path_factory.mktemp("recordings")
    record(found / "one.jsonl", 1)
    record(found / "two.jsonl", 1)
    record(found / "three.jsonl", 6, lambda steps: steps[2:])
    return found


def run(*arguments: object, code: int = 0, data: Path | None = None) -> str:
    options = [] if data is None else ["--data-dir", str(data)]
    env = {"COLUMNS": "200", "COHABIT_DATA_DIR": None}
    done = CliRunner().invoke(app, [*(str(a) for a in arguments), *options], env=env)
    assert done.exit_code == code, done.output
    return done.output


def test_score(folder: Path, houses_dir: Path) -> None:
    out = run("score", folder, "--explain", "--errors", data=houses_dir)
    assert "epi_one" in out
    assert out.count("100.0%") == 4
    assert "2 of the toy truck, the stuffed toy and the ball should be inside" in out
    assert "UNSATISFIED_ACTION/out_of_order" in out
    assert "differ" not in out


def test_diff_of_semantics_and_of_versions(folder: Path, tmp_path: Path) -> None:
    out = run("score", folder, "--diff", "released")
    assert "3 verdicts differ from released" in out
    kept = tmp_path / "verdicts.jsonl"
    run("score", folder, "--out", kept)
    assert "0 of 3 verdicts differ" in run("score", folder, "--diff", kept)
    assert "0 of 3 verdicts differ" in run("score", folder, "--diff", "online")
    lines = [msgspec.json.decode(line) for line in kept.read_bytes().splitlines()]
    lines[0]["verdict"]["percent_complete"] = 0.25
    kept.write_bytes(b"\n".join(msgspec.json.encode(line) for line in lines))
    changed = run("score", folder, "--diff", kept)
    assert "1 of 3 verdicts differ" in changed
    assert "percent_complete: 0.25 -> 1.0" in changed


def test_a_verdict_that_is_not_what_was_decided_online(folder: Path, tmp_path: Path) -> None:
    """A log whose end says something else, with right checksums."""
    import zlib

    from server.recording.log_checksums import signed
    from server.recording.log_records import Checksum, End, decode, encode

    crc, lines = 0, []
    for raw in (folder / "one.jsonl").read_bytes().splitlines():
        line = decode(raw)
        if isinstance(line, End):
            verdict = msgspec.structs.replace(line.result.verdict, percent_complete=0.125)
            result = msgspec.structs.replace(line.result, verdict=verdict)
            line = msgspec.structs.replace(line, result=result)
        if isinstance(line, Checksum):
            line = signed(line.tick, line.wall, crc)
        data = encode(line)
        crc = zlib.crc32(data, crc)
        lines.append(data)
    path = tmp_path / "lie.jsonl"
    path.write_bytes(b"".join(lines))
    assert "percent_complete: 0.125 -> 1.0" in run("score", path, code=1)


def test_bad_input_is_said(folder: Path, tmp_path: Path) -> None:
    assert "no such file" in run("score", tmp_path / "nowhere", code=2)
    assert "no recording here" in run("metrics", tmp_path, code=2)
    assert "documented or released" in run("score", folder, "--semantics", "new", code=2)
    (tmp_path / "broken.jsonl").write_text("{}")
    assert "no recording here" in run("score", tmp_path, code=2)
    assert "left out" in run("score", tmp_path / "broken.jsonl", folder / "one.jsonl")
    bad = tmp_path / "bad.txt"
    bad.write_text("{}")
    assert "not a file of verdicts" in run("score", folder, "--diff", bad, code=2)


def test_what_is_left_of_a_spoiled_recording_counts_as_no_episode(
    folder: Path, tmp_path: Path
) -> None:
    spoiled = bytearray((folder / "one.jsonl").read_bytes())
    spoiled[len(spoiled) // 2] ^= 1
    log = tmp_path / "ses_cut.jsonl"
    log.write_bytes(spoiled)
    packed = tmp_path / archive(log, tmp_path).file
    for path, told in ((log, "bytes lost"), (packed, "were seen and then lost")):
        out = run("score", path)
        assert "its end is missing" in out
        assert told in out
        out = run("metrics", path, folder / "two.jsonl", "--csv", tmp_path / "m.csv")
        assert "left out" in out
        assert "the end of episode epi_one was lost" in out
        rows = csv.DictReader((tmp_path / "m.csv").open())
        assert {row["episode_id"] for row in rows} == {"epi_two"}


def test_metrics(folder: Path, tmp_path: Path) -> None:
    out = run("metrics", folder, "--csv", tmp_path / "m.csv")
    (row, *_) = csv.DictReader((tmp_path / "m.csv").read_text().splitlines())
    assert row["team"].count("=") == len(row["team"].split(","))
    assert row["house"].startswith("house_")
    by = run("metrics", folder, "--by", "team", "--by", "profile")
    assert f"team {row['team']}, profile {row['profile']}" in by
    assert "task_offloading" in out
    assert "-; by episode " in out
    assert "Intervals have houses as units (1 here; none below 5)" in out
    rows = list(csv.DictReader((tmp_path / "m.csv").open()))
    one = {
        (r["family"], r["metric"], r["reading"], r["seat"]): r["value"]
        for r in rows
        if r["episode_id"] == "epi_one"
    }
    assert one["partnr", "success", "code", ""] == "1.0"
    assert one["teach", "path_weighted_success", "code", ""] == "1.0"
    assert one["seat", "work_share", "", "human_0"] == "1.0"
    assert {r["episode_id"] for r in rows} == {"epi_one", "epi_two", "epi_three"}


def test_logs_that_were_cut_are_named_wherever_they_were_cut(folder: Path, tmp_path: Path) -> None:
    """Also behind a checksum, where no byte is missing but the end of the episode."""
    lines = (folder / "one.jsonl").read_bytes().splitlines(keepends=True)
    sums = [n + 1 for n, line in enumerate(lines) if line.startswith(b'{"type":"sum"')]
    assert len(sums) > 3
    cuts = {0, 1, *sums[:-1], len(lines) // 2, len(lines) - 1}
    for cut in cuts:
        (tmp_path / f"cut_{cut}.jsonl").write_bytes(b"".join(lines[:cut]))
    (tmp_path / "whole.jsonl").write_bytes(b"".join(lines))
    out = run("metrics", tmp_path)
    told = [line for line in out.splitlines() if line.startswith("left out:")]
    for cut in cuts:
        assert sum(f"cut_{cut}.jsonl" in line for line in told) == 1
    assert not any("whole.jsonl" in line for line in told)
    assert "Intervals have houses as units (1 here" in out


def test_a_csv_that_cannot_be_written_is_told(folder: Path, tmp_path: Path) -> None:
    out = run("metrics", folder, "--csv", tmp_path / "nowhere" / "m.csv", code=2)
    assert "No such file or directory" in out


def test_one_try_of_each_task_is_kept_as_in_partnrs_human_study(folder: Path) -> None:
    every = run("metrics", folder)
    kept = run("metrics", folder, "--best-of-tries")
    assert "success by round" not in every
    assert "success by round: " in kept
    assert "SE" in every
    tasks, episodes = _counts(every, "percent_complete"), _counts(kept, "percent_complete")
    assert tasks[0] == episodes[0] == episodes[1] < tasks[1]


def _counts(out: str, metric: str) -> tuple[int, int]:
    """Return how many tasks and episodes a metric is of."""
    line = next(line for line in out.splitlines() if f" {metric} " in line)
    tasks, episodes = line.replace("│", " ").split()[-2:]
    return int(tasks), int(episodes)


def test_an_expert_of_ones_own(folder: Path, tmp_path: Path) -> None:
    expert = tmp_path / "expert.json"
    expert.write_text('{"1": 10}')
    run("metrics", folder, "--expert", expert, "--csv", tmp_path / "m.csv")
    rows = list(csv.DictReader((tmp_path / "m.csv").open()))
    found = [r["value"] for r in rows if r["metric"] == "path_weighted_success"]
    assert 0 < float(found[0]) < 0.2
    expert.write_text("[]")
    run("metrics", folder, "--expert", expert, code=2)

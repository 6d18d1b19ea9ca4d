"""`cohabit score`, `metrics` and their like over recordings that somebody made to do harm."""

from __future__ import annotations

import gzip
import os
import random
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import typer
from typer.testing import CliRunner

from server.cli.metrics import metrics
from server.cli.robots.export_sft import export_sft
from server.cli.robots.traces import traces
from server.cli.score import score
from server.recording.log_checksums import signed
from server.recording.log_records import SUM_START, encode
from tests.server.recording.short_recordings import record

app = typer.Typer()
for command in (score, metrics, traces, export_sft):
    app.command()(command)

Edit = Callable[[list[bytes]], None]


def again_signed(lines: list[bytes]) -> bytes:
    """Return lines as one log whose checksum is right."""
    import zlib

    data = b"".join(line + b"\n" for line in lines if not line.startswith(SUM_START))
    return data + encode(signed(1000, 0.0, zlib.crc32(data)))


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("good") / "good.jsonl"
    record(file, 1)
    return file


def run(*arguments: object, code: int | None = None) -> str:
    env = {"COLUMNS": "240", "COHABIT_DATA_DIR": None}
    done = CliRunner().invoke(app, [str(a) for a in arguments], env=env)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert code in (None, done.exit_code), done.output
    assert "\x1b" not in done.output
    assert "Traceback" not in done.output
    return done.output


def edited(good: Path, change: Callable[[dict[str, object]], None], start: bytes) -> bytes:
    """Return the good log with its first line of a kind changed, checksums made right."""
    lines = good.read_bytes().splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith(start))
    value = msgspec.json.decode(lines[at])
    change(value)
    lines[at] = msgspec.json.encode(value)
    return again_signed(lines)


def set_at(value: object, *path: object) -> Callable[[dict[str, object]], None]:
    def change(line: dict[str, object]) -> None:
        inner: object = line
        for key in path[:-1]:
            inner = inner[key]  # type: ignore[index]
        inner[path[-1]] = value  # type: ignore[index]

    return change


HEADER, TICK, KEYFRAME = b'{"type":"header"', b'{"type":"tick"', b'{"type":"keyframe"'


@pytest.mark.parametrize(
    ("path", "value", "start", "reason"),
    [
        (
            ("format",),
            2,
            HEADER,
            "expected a recording of format 1, got format 2: read it with the release",
        ),
        (("format",), -1, HEADER, "expected a recording of format 1, got format -1"),
        (("t",), 10**17, TICK, "expected ticks from 0"),
        (("t",), -(10**17), TICK, "expected ticks from 0"),
        (("spec", "seats"), [], HEADER, None),
        (("questions",), [], HEADER, None),
        (("seats",), {}, KEYFRAME, "contradict each other"),
    ],
)
def test_lines_that_lie_are_named(
    good: Path, tmp_path: Path, path: tuple[str, ...], value: object, start: bytes,
    reason: str | None,
) -> None:  # fmt: skip
    file = tmp_path / "lies.jsonl"
    file.write_bytes(edited(good, set_at(value, *path), start))
    out = run("score", file, good, "--errors", "--explain")
    if reason is not None:
        assert re.sub(r"\s+", " ", out).count(reason) >= 1, out
        assert "left out:" in out
        assert str(file) in out
    run("metrics", file, good, code=0)


def test_counts_that_would_be_unrolled_for_ever(good: Path, tmp_path: Path) -> None:
    def change(header: dict[str, object]) -> None:
        task: object = header["episode"]
        assert isinstance(task, dict)
        for proposition in task["evaluation_propositions"]:
            proposition["args"]["number"] = 10**9

    file = tmp_path / "counts.jsonl"
    file.write_bytes(edited(good, change, HEADER))
    assert "unavailable" in run("score", file)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"type":"tick","x":' + b"[" * 100_000, "nested too deeply"),
        (b'{"type":"tick","t":' + b"9" * 100_000 + b"}", "out of range"),
        (b'{"type":"tick","t":NaN}', "malformed"),
        (b'{"type":"tick","t":5,"w":1e999}', "out of range"),
        (b'{"type":"fold_bomb"}', "Invalid value"),
        (b'{"type":"tick","t":"\xff"}', "Expected `int`"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
    ],
)
def test_lines_that_are_none_are_named_with_their_number(
    good: Path, tmp_path: Path, line: bytes, reason: str
) -> None:
    file = tmp_path / "damaged.jsonl"
    lines = good.read_bytes().splitlines()
    file.write_bytes(again_signed([*lines[:2], line, *lines[2:]]))
    out = run("score", file, code=2)
    assert f"{file}, line 3: " in out
    assert reason in out
    assert "there is no recording here" in out


def test_files_that_are_none(good: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "zeros.jsonl").symlink_to("/dev/zero")
    (tmp_path / "lost.jsonl").symlink_to(tmp_path / "nowhere")
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(good.read_bytes())[:-30])
    (tmp_path / "empty.jsonl").write_bytes(b"")
    (tmp_path / "text.jsonl").write_bytes(b"\x1b[31mhello\n")
    (tmp_path / "bomb.jsonl.gz").write_bytes(gzip.compress(bytes(3 << 20)))
    (tmp_path / "name\x1b[2J\u202e.jsonl").write_bytes(b"")
    (tmp_path / "good.jsonl").write_bytes(good.read_bytes())
    out = run("score", tmp_path, "--largest", 2)
    assert out.count("left out:") == 9, out
    for reason in (
        "got a pipe", "got a folder", "got a device", "ends too early", "right checksum",
        "expected 2 MiB at most", "name\\u001b[2J\\u202e.jsonl",
    ):  # fmt: skip
        assert reason in out, out
    assert out.count("100.0%") == 2


def test_the_same_episode_counts_once(good: Path, tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_bytes(good.read_bytes())
    (tmp_path / "two.jsonl.gz").write_bytes(gzip.compress(good.read_bytes()))
    out = run("score", tmp_path)
    assert out.count("100.0%") == 2
    assert "was read from" in out


def test_names_command_no_terminal_and_no_spreadsheet(good: Path, tmp_path: Path) -> None:
    file, table = tmp_path / "names.jsonl", tmp_path / "table.csv"
    bad = "=1\x1b]0;title\x07[red]\u202e[/nothing]"

    def change(header: dict[str, object]) -> None:
        header["spec"]["session_id"] = f"../../{bad}"  # type: ignore[index]
        header["episode_spec"]["episode_id"] = bad  # type: ignore[index]
        header["episode"]["episode_id"] = bad  # type: ignore[index]

    file.write_bytes(edited(good, change, HEADER))
    shown = "=1\\u001b]0;title\\u0007[red]\\u202e[/nothing]"
    assert shown in run("score", file, "--explain", "--diff", "released")
    run("metrics", file, "--csv", table, code=0)
    assert f"'{shown}" in table.read_text()


@pytest.mark.parametrize("seed", range(4))
def test_mutated_logs_are_scored_or_left_out(good: Path, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    lines = good.read_bytes().splitlines()
    for number in range(12):
        changed = list(lines)
        for _ in range(rng.randint(1, 5)):
            at = rng.randrange(len(changed))
            match rng.randrange(5):
                case 0:
                    del changed[at]
                case 1:
                    changed.insert(at, rng.choice(lines))
                case 2:
                    changed[at] = re.sub(rb"\d+", b"%d" % rng.choice((-1, 0, 7, 2**62)),
                                         changed[at], count=rng.randint(1, 9))  # fmt: skip
                case 3:
                    changed[at] = changed[at].replace(b"_0", rng.choice((b"_9", b"", b"\\u0000")))
                case _:
                    cut = rng.randrange(len(changed[at]) + 1)
                    changed[at] = changed[at][:cut] + rng.randbytes(2) + changed[at][cut:]
        (tmp_path / f"mutant{number}.jsonl").write_bytes(again_signed(changed))
    run("score", tmp_path, "--errors", "--explain")
    run("metrics", tmp_path)
    run("traces", tmp_path, "--out", tmp_path / "traces.json")
    run("export-sft", tmp_path, "--out", tmp_path / "samples.json")


def test_verdicts_to_compare_with(good: Path, tmp_path: Path) -> None:
    file = tmp_path / "verdicts.jsonl"
    file.write_bytes(b"\n" + b"[" * 100_000)
    assert f"{file}, line 2: " in run("score", good, "--diff", file, code=2)
    os.mkfifo(tmp_path / "pipe")
    assert "got a pipe" in run("score", good, "--diff", tmp_path / "pipe", code=2)
    file.write_bytes(b'{"a":' + b"9" * 9999 + b"}")
    assert "out of range" in run("metrics", good, "--expert", file, code=2)

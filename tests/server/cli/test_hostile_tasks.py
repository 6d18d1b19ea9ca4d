"""`cohabit tasks` over sets that somebody else made: an answer or an error, no traceback."""

from __future__ import annotations

import gzip
import os
import random
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli.tasks import app

COMMANDS = (["list"], ["show", "first", "1"], ["check", "first"], ["report", "first"])
NUMBERS = (b"-1", b"0", b"1000000000", b"9" * 30, b"1e308", b"null", b'""', b"[]", b"true")


@pytest.fixture
def data(houses_dir: Path, tmp_path: Path) -> Path:
    ignored = shutil.ignore_patterns("*.glb")
    return Path(shutil.copytree(houses_dir, tmp_path / "data", ignore=ignored))


def first(data: Path) -> Path:
    return data / "tasks" / "first.json.gz"


def run(data: Path, *arguments: str) -> tuple[str, int]:
    done = CliRunner().invoke(app, [*arguments, "--data-dir", str(data)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert "\x1b" not in done.output
    return done.output, done.exit_code


@pytest.mark.parametrize("seed", range(4))
def test_mutated_sets_are_read_or_refused(data: Path, seed: int) -> None:
    rng = random.Random(seed)
    good = gzip.decompress(first(data).read_bytes())
    for _ in range(6):
        changed = good
        for _ in range(rng.choice((1, 1, 3))):
            if rng.random() < 0.5:
                found = rng.choice(list(re.finditer(rb"(?<=[:,\[])-?\d+(\.\d+)?", changed)))
                new = rng.choice(NUMBERS)
            else:
                words = list(re.finditer(rb'"[^"\\]*"', changed))
                found = rng.choice(words)
                new = rng.choice((b'""', b'"\\u001b[2J"', b'"../../x"', rng.choice(words)[0]))
            changed = changed[: found.start()] + new + changed[found.end() :]
        first(data).write_bytes(gzip.compress(changed, 1))
        for command in COMMANDS:
            run(data, *command)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (gzip.compress(b"[" * 100_000, mtime=0), "nested too deeply"),
        (gzip.compress(b'{"episodes":[]}', mtime=0)[:-3], "ends too early"),
        (gzip.compress(b'{"episodes":[]}', mtime=0) + b"more", "expected the end"),
        (b'{"episodes":NaN}', "expected JSON"),
        (b'{"episodes":[{"episode_id":' + b"9" * 100_000 + b"}]}", "out of range"),
        (b"\x28\xb5\x2f\xfdzstd", "packed with zstd"),
    ],
)
def test_sets_that_are_none(data: Path, content: bytes, reason: str) -> None:
    first(data).write_bytes(content)
    out, code = run(data, "check", "first")
    assert code == 1
    assert "first.json.gz" in out.replace("\n", "")
    assert reason in out


def test_a_pipe_is_not_waited_for(data: Path) -> None:
    first(data).unlink()
    os.mkfifo(first(data))
    assert "got a pipe" in run(data, "list")[0]


def test_a_task_about_things_that_are_not_there(data: Path) -> None:
    text = gzip.decompress(first(data).read_bytes()).decode()
    handle = re.search(r'"name_to_receptacle":\{"([^"]+)"', text)
    assert handle is not None
    first(data).write_bytes(gzip.compress(text.replace(handle[1], "no\\u001bthing_:0000").encode()))
    out, code = run(data, "show", "first", "1")
    assert code == 1
    assert "names what its house does not have" in out

"""Drafts of exports whose process was killed: the next export to the place removes them."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from server.research.exports.export_folder import ExportFolder

WRITE = """
import sys
from pathlib import Path
from server.research.exports.export_folder import ExportFolder

with ExportFolder(Path(sys.argv[1])) as folder:
    folder.text("half.csv", "who,what")
    print("begun", flush=True)
    sys.stdin.read()
"""


def _writer(target: Path) -> subprocess.Popen[bytes]:
    """Return a process that has written half of an export, and goes on when its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITE, str(target)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"begun\n"
    return process


def _hidden(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.name.startswith(".")]


def test_the_next_export_removes_what_a_killed_one_left_and_nothing_else(tmp_path: Path) -> None:
    own = tmp_path / ".data.settings"
    own.mkdir()
    killed, goes_on = _writer(tmp_path / "data"), _writer(tmp_path / "data")
    assert len(_hidden(tmp_path)) == 3
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    with ExportFolder(tmp_path / "data") as folder:
        folder.text("whole.csv", "who,what")
        assert len(_hidden(tmp_path)) == 3, "the one that is written, and its own"
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["whole.csv"]
    left = _hidden(tmp_path)
    assert own in left
    assert len(left) == 2
    goes_on.communicate()
    assert _hidden(tmp_path) == [own]

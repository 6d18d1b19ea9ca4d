"""Drafts of exports whose process was killed: the next export to the place removes them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

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


AS_ANOTHER = """
import os
import sys
from pathlib import Path
from server.research.exports.export_folder import ExportFolder

os.setgid(65534)
os.setuid(65534)
with ExportFolder(Path(sys.argv[1])) as folder:
    folder.text("whole.csv", "who,what")
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a draft of another user")
def test_a_draft_that_another_user_left_is_left_alone_and_the_export_made() -> None:
    # The folders of pytest itself let no other user in.
    with tempfile.TemporaryDirectory() as shared:
        place = Path(shared)
        place.chmod(0o777)
        left = place / ".data.export-of-another"
        left.mkdir(mode=0o700)
        command = [sys.executable, "-c", AS_ANOTHER, str(place / "data")]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert (place / "data" / "whole.csv").exists()
        assert left.is_dir()

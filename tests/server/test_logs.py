"""Log lines: an error is told with where it came from, and without what the variables held."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys, structlog
from server.logs import configure_logging
configure_logging(as_json=sys.argv[1] == "json")
def breaks(cookie):
    raise RuntimeError("the floor gave way")
try:
    breaks("the " + "secret of somebody")
except RuntimeError:
    structlog.get_logger().exception("session.broke", session="ses_1")
"""


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_traceback_names_places_and_shows_no_values(form: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, form], capture_output=True, text=True, check=True
    )
    for part in ("session.broke", "ses_1", "the floor gave way", "in breaks"):
        assert part in done.stderr
    assert "secret of somebody" not in done.stderr
    assert len(done.stderr.splitlines()) == (1 if form == "json" else 5)

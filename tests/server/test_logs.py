"""Log lines: an error is told with where it came from, and without what the variables held."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import h11
import pytest

from server.logs import StrangersFaults

FULL = Path("/dev/full")

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


@pytest.mark.parametrize("form", ["text", "json"])
def test_nothing_in_a_line_commands_a_terminal(form: str) -> None:
    program = PROGRAM.replace("the floor gave way", "gave\\x1b[2J way\\u202e").replace(
        'session="ses_1"', 'reason="a model said \\x1b]0;title\\x07"'
    )
    done = subprocess.run(
        [sys.executable, "-c", program, form], capture_output=True, text=True, check=True
    )
    assert not {"\x1b", "\x07", "\u202e"} & set(done.stderr)
    assert "a model said" in done.stderr
    assert "u001b]0;title" in done.stderr


def test_faults_of_strangers_are_told_once_a_minute_and_counted() -> None:
    now = 0.0
    sieve = StrangersFaults(lambda: now)

    def told(text: str) -> str:
        try:
            raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
        except UnicodeDecodeError:
            info = sys.exc_info()
        record = logging.LogRecord("uvicorn.error", logging.ERROR, "", 0, text, None, info)
        return logging.Formatter().format(record) if sieve.filter(record) else ""

    assert told("Invalid HTTP request received.") == "Invalid HTTP request received."
    assert told("Invalid UTF-8 sequence received from client.").count("\n") == 0
    assert [told("Invalid HTTP request received.") for _ in range(1000)] == [""] * 1000
    now = 60.0
    assert told("Invalid HTTP request received.").endswith("(1000 more since the last such line)")
    for _ in range(2):
        assert told("Exception in ASGI application").count("Traceback") == 1


def test_a_request_that_breaks_while_its_page_is_made_leaves_no_traceback() -> None:
    broken = h11.Connection(h11.SERVER)
    broken.receive_data(b"")
    assert broken.next_event() == h11.ConnectionClosed()
    try:
        broken.send(h11.Response(status_code=200, headers=[]))
    except h11.LocalProtocolError:
        info = sys.exc_info()
    record = logging.LogRecord("", logging.ERROR, "", 0, "Exception in %s\n", ("app",), info)
    assert StrangersFaults().filter(record)
    text = logging.Formatter().format(record)
    assert text == "Invalid HTTP request received while its page was made."


@pytest.mark.skipif(not FULL.exists(), reason="needs a file that is always full")
@pytest.mark.parametrize("form", ["text", "json"])
def test_what_cannot_be_written_is_lost_and_nothing_else_is(form: str) -> None:
    program = f"""{PROGRAM}
import logging, pathlib
for _ in range(1000):
    logging.getLogger("uvicorn.error").error("the disk is full")
    sys.stdout.write("Cohabit is at …\\n")
sys.stdout.flush()
pathlib.Path(sys.argv[2]).write_text("went on")
"""
    with tempfile.TemporaryDirectory() as folder, FULL.open("wb") as full:
        proof = Path(folder) / "proof"
        command = [sys.executable, "-c", program, form, str(proof)]
        done = subprocess.run(command, stdout=full, stderr=full)
        assert (done.returncode, proof.read_text()) == (0, "went on")


def test_a_reader_of_the_log_that_is_gone_ends_nothing() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([sys.executable, "-c", PROGRAM, "text"], stderr=writing)
    os.close(writing)
    assert done.returncode == 0

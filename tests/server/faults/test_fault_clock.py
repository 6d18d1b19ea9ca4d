"""Clocks that somebody sets while people play: sessions go on to their verdict, over a restart."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from server.recording.archive import read_log
from server.recording.log_records import Checksum, decode
from server.wire.messages import DidEvent, FinishInput
from tests.server.faults.conftest import StartNearServer
from tests.server.faults.visitor import Visitor, eventually, recorded_digest, replayed

pytestmark = pytest.mark.processes

SHIFTED = Path(__file__).parent / "shifted"
MINUTE_S, DAY_S = 60.0, 86_400.0
MOST_LOST_TICKS = 30


@pytest.fixture
def clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file that says by how many seconds the clock of new processes is wrong."""
    file = tmp_path / "shift"
    path = os.pathsep.join(p for p in (str(SHIFTED), os.environ.get("PYTHONPATH", "")) if p)
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setenv("SHIFTED_CLOCK", str(file))
    return file


def set_clock(file: Path, shift_s: float) -> None:
    draft = file.with_suffix(".new")
    draft.write_text(str(shift_s))
    draft.replace(file)


def last_wall_s(log: Path) -> float:
    """Return when the last flush was, as the log noted it."""
    sums = [raw for raw in read_log(log).splitlines() if raw.startswith(b'{"type":"sum"')]
    line = decode(sums[-1])
    assert isinstance(line, Checksum)
    return line.wall


async def housekeeping(data_dir: Path) -> None:
    """Wait until the server has looked twice for sessions whose time is over."""
    alive = data_dir / "alive"
    for _ in range(2):
        before = alive.read_bytes()
        await eventually(lambda before=before: alive.read_bytes() != before)  # type: ignore[misc]


@pytest.mark.parametrize(
    "shift_s",
    [
        pytest.param(45 * MINUTE_S, id="45 minutes on"),
        pytest.param(-45 * MINUTE_S, id="45 minutes back", marks=pytest.mark.long),
        pytest.param(DAY_S, id="a day on", marks=pytest.mark.long),
        pytest.param(None, id="back in 1970", marks=pytest.mark.long),
    ],
)
async def test_a_session_outlives_a_jump_and_a_restart_after_it(
    near_server: StartNearServer, clock: Path, shift_s: float | None
) -> None:
    if shift_s is None:
        shift_s = 1000.0 - time.time()
    server = near_server()
    ann = Visitor(server)
    await ann.move_in()
    async with ann.client() as client:
        await client.until_playing()
        set_clock(clock, shift_s)
        await housekeeping(server.data_dir)
        thing = client.model.index(server.reach.handle)
        assert isinstance(await client.act("pick", thing), DidEvent)
        assert client.notices == []
        log = server.data_dir / "recordings" / f"{ann.session_id}.jsonl"
        # The jump is there, in what is only noted.
        assert abs(last_wall_s(log) - (time.time() + shift_s)) < MINUTE_S
        server.kill()
        await client.closed()
        seen = client.model.tick
    # Set right again, which is one more jump.
    set_clock(clock, 0.0)
    server.start()
    await ann.come_back()
    async with ann.client() as client:
        await client.until_playing()
        assert client.model.tick >= seen - MOST_LOST_TICKS
        assert client.model.things[client.model.index(server.reach.handle)].holder == client.me
        await housekeeping(server.data_dir)
        await client.send(FinishInput())
        await client.until(lambda: client.over)
    assert client.over[0].reason == "finished"
    assert (await ann.browser.get(f"/report/{client.over[0].episode_id}")).status_code == 200
    assert replayed(log).digest() == recorded_digest(server.data_dir, ann.session_id)


@pytest.mark.parametrize(
    "back_s",
    [
        pytest.param(50 * MINUTE_S, id="50 minutes"),
        pytest.param(5 * 60 * MINUTE_S, id="5 hours", marks=pytest.mark.long),
    ],
)
async def test_an_open_page_goes_on_when_the_clock_was_set_back_over_a_restart(
    near_server: StartNearServer, clock: Path, back_s: float
) -> None:
    server = near_server()
    ann = Visitor(server)
    await ann.move_in()
    async with ann.client() as client:
        await client.until_playing()
        server.kill()
        await client.closed()
        seen = client.model.tick
    set_clock(clock, -back_s)
    server.start()
    # With the token of before: nobody has loaded the page again.
    async with ann.client() as client:
        await client.until_playing()
        assert client.model.tick >= seen - MOST_LOST_TICKS
        await client.send(FinishInput())
        await client.until(lambda: client.over)
    assert client.over[0].reason == "finished"

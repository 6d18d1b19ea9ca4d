"""A task on habitat-sim, played in a browser to its verdict.

The page draws the household's assets.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli.main import app
from tests.e2e.conftest import GuideOf, NewPlayer, ServeTasks
from tests.e2e.test_browser_pair import beside_the_cup
from tests.server.simulators.habitat_data import needs_habitat

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.habitat,
    needs_habitat,
    pytest.mark.asyncio(loop_scope="session"),
]

SET_THE_TABLE = "2"


async def test_a_task_on_habitat_is_played_to_its_verdict(
    serve: ServeTasks, guide: GuideOf, new_player: NewPlayer, data_dir: Path
) -> None:
    exported = CliRunner().invoke(
        app,
        ["houses", "export", "--habitat", str(data_dir / "habitat"), "--data-dir", str(data_dir)],
    )
    assert exported.exit_code == 0, exported.output
    server = serve(SET_THE_TABLE, simulator="habitat")
    ann = await new_player(server, "ann")
    await ann.play_alone()
    await ann.wait_until_playing()

    way = guide(SET_THE_TABLE)
    cup, plate, table = way.handle("cup"), way.handle("plate"), way.goal_furniture()
    await ann.fetch(way, cup)
    await ann.put(way, cup, table, "top")
    lies = (await ann.state())["objects"][cup]["position"]
    await ann.fetch(way, plate)
    beside = beside_the_cup(way, cup, lies, plate, table)
    await ann.walk_to(way, way.stand_for(beside, table, kind=await ann.kind()))
    await ann.look_at(beside)
    await ann.place(plate, beside, table)
    await ann.finish()

    report = await ann.wait_for_report()
    assert "100" in report.percent
    assert len(report.propositions) == 3
    (log,) = (data_dir / "recordings").rglob("ses_*.jsonl*")
    assert '"simulator":"habitat"' in log.read_text().partition("\n")[0]

"""Measures of pages and pace against hand-made figures, and against the raw lines of a log."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean

import pytest

from episodes.bounded_files import LARGEST
from server.recording.log_records import Paced
from server.recording.recordings import read_recording
from server.research.measures import (
    frame_rate,
    input_to_visible,
    page_use,
    partner_in_view,
    picture,
    round_trips,
    tick_lateness,
)
from server.research.measures.doings import Doings, doings_of
from server.research.measures.measure import TEAM, Measure
from server.wire.messages import FinishInput, PageStats
from tests.server.research.measures.hand_made import HUMAN, ROBOT, alone, doings, values
from tests.server.worker.live_table import Table

PAGES = (
    PageStats(
        10_000, tuple(range(41, 61)), (20, 30, 24), (90,), 4, 1000, 700, False, 5000, 0, 0, 3
    ),
    # The window was made larger; nothing moved.
    PageStats(5_000, (), (), (70, 110), 2, 1300, 760, True, 0, 1500, 250, 1),
)


def played(pages: tuple[PageStats, ...] = PAGES) -> Doings:
    return doings()._replace(pages={HUMAN: pages})


@pytest.mark.parametrize(
    ("measure", "number"),
    [
        # Seconds with 41 to 60 pictures: the fifth percentile lies 0.95 above the lowest.
        (frame_rate.LOW, 41.95),
        (frame_rate.MEDIAN, 50.5),
        (picture.QUALITY, (4 * 10 + 2 * 5) / 15),
        (picture.WIDTH, 1100.0),
        (picture.HEIGHT, 720.0),
        (picture.TOUCH, 1 / 3),
        (round_trips.PING, 24.0),
        (round_trips.JITTER, 8.0),
        (input_to_visible.MEASURE, 90.0),
        (partner_in_view.MEASURE, 1 / 3),
        (page_use.MAP, 1.5),
        (page_use.HELP, 0.25),
        (page_use.HOVERS, 4.0),
    ],
    ids=lambda value: value.name if isinstance(value, Measure) else "",
)
def test_figures_of_a_page(measure: Measure, number: float) -> None:
    assert values(measure, played()) == {ROBOT: None, HUMAN: pytest.approx(number)}


def test_what_a_page_did_not_tell_is_undefined_and_not_zero() -> None:
    silent = played((PageStats(10_000),))
    for measure in (
        frame_rate.LOW,
        round_trips.PING,
        round_trips.JITTER,
        input_to_visible.MEASURE,
        picture.QUALITY,
        picture.WIDTH,
    ):
        assert values(measure, silent)[HUMAN] is None, measure.name
    assert values(page_use.MAP, silent)[HUMAN] == 0.0
    assert values(partner_in_view.MEASURE, alone()._replace(pages={HUMAN: PAGES})) == {HUMAN: None}


def test_lateness_of_ticks() -> None:
    late = doings()._replace(paces=[Paced(300, 0.0, 1.0, 4.0), Paced(600, 0.0, 3.0, 9.5)])
    assert values(tick_lateness.MEAN, late) == {TEAM: 2.0}
    assert values(tick_lateness.MOST, late) == {TEAM: 9.5}
    assert values(tick_lateness.MOST, doings()) == {TEAM: None}


def test_figures_of_a_live_session_are_in_its_log(tmp_path: Path) -> None:
    table = Table()
    human, robot = table.start()
    table.send(human, PAGES[0])
    for late_ms in (1, 3) * 155:
        table.session.step(0.0, late_ms / 1000)
    table.send(human, PAGES[1])
    table.send(human, FinishInput())
    table.send(robot, FinishInput())
    table.run(0.2)
    assert table.phase == "ended"
    path = tmp_path / "one.jsonl"
    path.write_bytes(table.data())
    (recording,) = read_recording(path, LARGEST)
    found = doings_of(recording)
    assert found.pages == {HUMAN: list(PAGES)}
    # Counted from the file, with nothing of ours.
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    pages = [line["stats"] for line in lines if line["type"] == "page" and line["seat"] == HUMAN]
    assert [page[1] for page in pages] == [10_000, 5_000]
    paces = [line for line in lines if line["type"] == "pace"]
    assert values(tick_lateness.MEAN, found) == {TEAM: fmean(p["mean_late_ms"] for p in paces)}
    assert values(tick_lateness.MEAN, found) == {TEAM: 2.0}
    assert values(page_use.HOVERS, found) == {ROBOT: None, HUMAN: sum(p[12] for p in pages)}

"""Recruiting days that go wrong: everybody has exactly one ending, and the right pay."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from matchmaking.study.endings import Ending
from server import wall_clock
from server.recruiting.payments import payments_of
from server.store.visit_models import IdentityRow, VisitRow, VisitStepRow
from server.web.participants.keeper import look_after
from tests.server.web.participants.recruiting_day import Day, Due, Person, studies
from tests.server.web.participants.recruiting_scripts import SCRIPTS
from tests.server.web.participants.visitors import rows_of

MORNING_S = 1_795_593_600.0
LIMIT_S = 4 * 3600


@pytest.mark.parametrize(
    ("count", "crash_every"),
    [
        pytest.param(16, 7, id="a small day, in which the server dies at every seventh commit"),
        pytest.param(250, 1, id="300 visitors, a death at every commit", marks=pytest.mark.long),
    ],
)
async def test_R2_everybody_has_one_ending_and_the_right_pay_whenever_the_server_dies(
    tmp_path: Path, count: int, crash_every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = Day(tmp_path, crash_every, seed=20_261_125)
    # The next process reads the time of day anew.
    monkeypatch.setattr(wall_clock, "wall_s", lambda: MORNING_S + day.now)
    await day.start()
    try:
        await day.run([SCRIPTS[number % len(SCRIPTS)] for number in range(count)])
        day.now += LIMIT_S + 1
        await look_after(day.site.state)
        for person in day.people:
            person.due = person.due or await _due_of_the_late(day, person)
        await _check(day)
    finally:
        await day.stop()
    print(f"{len(day.people)} visitors, {day.commits} commits, {day.crashes} deaths")
    assert len(day.people) >= count
    # Whoever tries again gets one commit further: not each commit is the server's last.
    assert day.crashes >= day.commits // crash_every * 0.5


async def _due_of_the_late(day: Day, person: Person) -> Due:
    """Return what is due to somebody who never came back, once they have taken too long.

    They are paid for the longest visit, and until the server looked, up to the ceiling.
    """
    visit = await person.row()
    assert visit.ended_at is not None
    spent_s = (visit.ended_at - visit.arrived_at).total_seconds()
    assert spent_s >= LIMIT_S
    assert visit.arrived_at.timestamp() == pytest.approx(MORNING_S + person.began_s, abs=1)
    return Due(
        Ending.TIMED_OUT,
        min(-(-round(spent_s) * 900 // 3600), studies()[0].time_ceiling.work or 0),
    )


async def _check(day: Day) -> None:
    due = {person.id: person.due for person in day.people}
    found: dict[str, Due] = {}
    async with day.site.state.database.transaction() as db:
        for study in studies():
            payments = await payments_of(db, study.name, day.site.state.now())
            assert payments.going_on == 0
            for row in payments.rows:
                assert row.external_id not in found, "somebody is paid twice"
                found[row.external_id] = Due(row.ending, row.owed.total)
    assert found == due
    # One visit each, with one end, and no step twice.
    assert len(await rows_of(day.site, VisitRow)) == len(day.people)
    assert len(await rows_of(day.site, IdentityRow)) == len(day.people)
    steps = await rows_of(day.site, VisitStepRow)
    ends = Counter(step.visit_id for step in steps if step.place == "ended")
    assert set(ends.values()) == {1}
    assert len(ends) == len(day.people)
    for person in day.people:
        await person.open("/visit/the-end")
        assert person.due is not None
        assert f'data-ending="{person.due.ending}"' in person.page.text

"""Scripts of the visitors of a recruiting day, each with the ending and the pay that is due."""

from __future__ import annotations

from collections.abc import AsyncIterator

from matchmaking.study.endings import Ending
from server.store.sessions import seat_of, session_row
from tests.server.web.doubles import proposition, verdict
from tests.server.web.participants.recruiting_day import (
    ONES_OWN,
    UNDONE,
    Day,
    Due,
    Party,
    Person,
    wait_a_moment,
)
from tests.server.web.participants.visitors import AGREES


async def completes(day: Day) -> AsyncIterator[None]:
    """Play with a robot to the end; one of three does the task."""
    ann = Person(day, "robot")
    is_done = day.rng.random() < 1 / 3
    await ann.arrive()
    yield
    await ann.to_the_lobby()
    yield
    ann.waited_s = day.now - ann.joined_s
    await ann.enter()
    yield
    await ann.finish(verdict(proposition(0)) if is_done else UNDONE)
    yield
    ann.full(Ending.COMPLETED, int(is_done))
    await ann.answer()


async def refuses(day: Day) -> AsyncIterator[None]:
    ben = Person(day, "robot")
    await ben.arrive()
    yield
    await ben.press("consent", ONES_OWN)
    ben.due = Due(Ending.NO_CONSENT, 0)


async def is_too_young(day: Day) -> AsyncIterator[None]:
    cid = Person(day, "pair")
    await cid.arrive()
    yield
    await cid.press("consent", AGREES)
    yield
    cid.by_time(Ending.SCREENED_OUT, day.now)
    await cid.press("eligibility", {"q.age": "17"})


async def withdraws(day: Day) -> AsyncIterator[None]:
    """Stop at the consent, before the lobby, or in the middle of the task."""
    dee, where = Person(day, "robot"), day.rng.randrange(3)
    await dee.arrive()
    yield
    if where:
        await dee.to_the_lobby()
        yield
    waited_s = day.now - dee.joined_s if where else 0.0
    if where == 2:
        await dee.enter()
        yield
    dee.by_time(Ending.WITHDREW, day.now, waited_s)
    await dee.withdraw()


async def breaks(day: Day) -> AsyncIterator[None]:
    """Play a task that ends with a failure of ours."""
    eve = Person(day, "robot")
    await eve.arrive()
    yield
    await eve.to_the_lobby()
    waited_s = day.now - eve.joined_s
    await eve.enter()
    yield
    eve.by_time(Ending.TECHNICAL_FAILURE, day.now, waited_s)
    await eve.finish(UNDONE, "failed")


async def waits_in_vain(day: Day) -> AsyncIterator[None]:
    fay = Person(day, "alone")
    await fay.arrive()
    yield
    await fay.to_the_lobby()
    fay.by_time(Ending.NO_PARTNER, day.now, day.now - fay.joined_s)
    await fay.enter()
    assert fay.path == "/visit/the-end"


async def play_as_a_pair(day: Day) -> AsyncIterator[None]:
    """Play together to the end, or with a partner who leaves."""
    one, two = Person(day, "pair"), Person(day, "pair")
    leaves = day.rng.random() < 0.5
    for person in (one, two):
        await person.arrive()
        await person.to_the_lobby()
    yield
    while not all([(await person.look()).startswith("/play/") for person in (one, two)]):
        for person in (one, two):
            await person.press("lobby", {})
            await wait_a_moment(day, person)
    for person in (one, two):
        person.waited_s = day.now - person.joined_s
    yield
    if leaves:
        await one.finish(UNDONE, "left", gone={await _seat(day, two): 30})
        one.full(Ending.PARTNER_LEFT)
        two.by_time(Ending.WITHDREW, day.now, two.waited_s)
        assert await two.look() == "/visit/the-end"
    else:
        await one.finish(UNDONE)
        two.full(Ending.COMPLETED)
        one.full(Ending.COMPLETED)
    yield
    await one.answer()
    if not leaves:
        await two.answer()


async def never_comes_back(day: Day) -> AsyncIterator[None]:
    """Begin and go: the visit ends when it has taken longer than one may."""
    gus = Person(day, "robot")
    await gus.arrive()
    yield
    # Reckoned at the end of the day, once everybody else has gone.
    gus.due = None


SCRIPTS: tuple[Party, ...] = (
    completes,
    play_as_a_pair,
    withdraws,
    refuses,
    play_as_a_pair,
    breaks,
    is_too_young,
    waits_in_vain,
    never_comes_back,
    completes,
)


async def _seat(day: Day, person: Person) -> str:
    row = await person.row()
    async with day.site.state.database.transaction() as db:
        session = await session_row(db, row.session_id or "")
    assert session is not None
    seat = seat_of(session, row.participant_id)
    assert seat is not None
    return seat

"""Matching is one outcome, whatever fails and wherever: a fault at every step, on both databases.

Each statement, each commit and each call of the host fails before it is done, or after it was done
all the same; it raises, says nothing, or is cancelled. Meanwhile people cancel, load their page
again, press twice, ask; a worker dies, the server stops.
"""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from matchmaking.tickets import Wish
from server.hosting.match_opening import Patience
from server.lobby.ticket_outcomes import Outcome
from server.store import Database
from tests.patience import PATIENCE_S
from tests.postgres_server import PostgresServer
from tests.server.lobby.faulty_parts import Fault, Points
from tests.server.lobby.visit_rig import PATIENCE, Visitor, VisitRig, quick_retries

__all__ = ["quick_retries"]

WHERE = ("before", "after")
MOST_POINTS = 45
"""More points than an evening has without any retry."""
EXAMPLES = settings().max_examples // 3
"""Evenings of random faults; each takes a third of a second or more."""
EVENTS = ("cancel", "reload", "press_again", "ask", "worker", "stop")


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.processes)]
)
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the address of an empty database of this release."""
    if request.param == "sqlite":
        address = f"sqlite:///{tmp_path_factory.mktemp('database') / 'cohabit.db'}"
    else:
        server: PostgresServer = request.getfixturevalue("postgres")
        address = server.new_database()
    asyncio.run(upgrade(address))
    return address


async def upgrade(url: str) -> None:
    database = Database(url)
    await database.upgrade()
    await database.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data", numbered=True)


async def evening(
    url: str,
    folder: Path,
    faults: list[Fault],
    events: list[tuple[int, str]],
    wish: Wish,
    patience: Patience = PATIENCE,
) -> list[str]:
    """Play one evening and check what came of it; return the names of its points."""
    points = Points(faults)
    rig = VisitRig(url, folder, points, patience)
    acts = {
        "cancel": rig.ann.cancel,
        "reload": rig.ben.reload,
        "press_again": rig.ann.press_again,
        "ask": rig.ben.ask,
        "worker": rig.host.lose_worker,
        "stop": rig.lobby.stop,
    }
    for point, name in events:
        points.on(point, acts[name])
    await rig.begin()
    try:
        async with asyncio.timeout(60):
            await rig.run(wish)
        await rig.check()
    finally:
        points.is_armed = False
        await rig.end()
    return points.names


@pytest.mark.parametrize("wish", [Wish.PERSON, Wish.SOLO])
def test_nothing_fails_and_both_play(url: str, folder: Path, wish: Wish) -> None:
    # A machine that is busy for a while is no fault.
    calm = Patience(PATIENCE_S, PATIENCE_S, PATIENCE_S, PATIENCE_S)
    names = asyncio.run(evening(url, folder, [], [], wish, calm))
    assert names.count("host.open") == (1 if wish is Wish.PERSON else 2)
    assert "host.close" not in names
    assert 15 <= len(names) < MOST_POINTS


@pytest.mark.parametrize(
    ("url", "how"),
    [
        ("sqlite", "raise"),
        ("sqlite", "cancel"),
        pytest.param("postgres", "raise", marks=pytest.mark.processes),
        pytest.param("postgres", "cancel", marks=pytest.mark.long),
        pytest.param("sqlite", "hang", marks=pytest.mark.long),
        pytest.param("postgres", "hang", marks=pytest.mark.long),
    ],
    indirect=["url"],
)
def test_a_fault_at_each_point(url: str, folder: Path, how: str) -> None:
    count = len(asyncio.run(evening(url, folder, [], [], Wish.PERSON)))
    for point in range(count):
        for where in WHERE:
            fault = Fault(point, where, how)  # type: ignore[arg-type]
            try:
                asyncio.run(evening(url, folder, [fault], [], Wish.PERSON))
            except BaseException as error:
                error.add_note(f"{fault} of {count}")
                raise


FAULTS = st.lists(
    st.builds(
        Fault,
        st.integers(0, MOST_POINTS),
        st.sampled_from(WHERE),
        st.sampled_from(["raise", "raise", "cancel", "cancel", "hang"]),
    ),
    max_size=6,
)
HAPPENINGS = st.lists(st.tuples(st.integers(0, MOST_POINTS), st.sampled_from(EVENTS)), max_size=3)


@given(faults=FAULTS, events=HAPPENINGS, wish=st.sampled_from([Wish.PERSON, Wish.SOLO]))
@settings(
    max_examples=EXAMPLES,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_several_faults_while_people_come_and_go(
    url: str, folder: Path, faults: list[Fault], events: list[tuple[int, str]], wish: Wish
) -> None:
    asyncio.run(evening(url, folder, faults, events, wish))


@given(point=st.integers(0, 25), faults=FAULTS)
@settings(
    max_examples=EXAMPLES,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_the_process_dies_and_the_next_one_reads_one_outcome(
    tmp_path_factory: pytest.TempPathFactory, folder: Path, point: int, faults: list[Fault]
) -> None:
    database = tmp_path_factory.mktemp("dying", numbered=True) / "cohabit.db"
    asyncio.run(upgrade(f"sqlite:///{database}"))
    asyncio.run(restart(database, folder, point, faults))


async def restart(database: Path, folder: Path, point: int, faults: list[Fault]) -> None:
    points = Points(faults)
    rig = VisitRig(f"sqlite:///{database}", folder, points)
    await rig.begin()
    left = LeftBehind(database, (rig.ann, rig.ben))

    async def die() -> None:
        left.take()

    points.on(point, die)
    # Nothing of the process that goes on here reaches the copy.
    await rig.run()
    await rig.end()
    if not left.visitors:
        left.take()

    after = VisitRig(left.url, folder, Points())
    after.sessions._pulse.beat()
    await after.sessions.resume()
    await after.lobby.start()
    after.ann, after.ben = rig.ann, rig.ben
    for visitor, (tickets, told) in zip((rig.ann, rig.ben), left.visitors, strict=True):
        visitor._lobby, visitor.tickets, visitor.told = after.lobby, tickets, told
        await visitor.come_back()
    await after.lobby.stop()
    await after.check()
    await after.end()


class LeftBehind:
    """Remains of a process that dies: what is committed, and what people were told.

    A process cannot die within this one without its connections holding on to their locks, so its
    death is a copy of the database as others read it then, which SQLite makes at any time.
    """

    def __init__(self, database: Path, people: tuple[Visitor, ...]) -> None:
        self._source, self._people = database, people
        self._copy = database.with_name("copy.db")
        self.url = f"sqlite:///{self._copy}"
        self.visitors: list[tuple[list[str], dict[str, Outcome]]] = []

    def take(self) -> None:
        self.visitors = [(list(v.tickets), dict(v.told)) for v in self._people]
        with closing(connect(self._source)) as source, closing(connect(self._copy)) as copy:
            source.backup(copy)

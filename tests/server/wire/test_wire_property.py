"""Property tests of sync, whatever happens and in whatever order people come, go and read slowly.

Everybody who has caught up knows what the server knows, at wire precision, and has heard everything
once and in order.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from episodes.poses import Pose, yaw_quat
from episodes.rules import COHABIT
from episodes.world import (
    FLOOR,
    AgentMoved,
    AgentPose,
    HolderChanged,
    ObjectMoved,
    PartMoved,
    StateChanged,
    SupportChanged,
)
from server.sessions.core import SessionCore
from server.sessions.events import (
    Did,
    FinishChanged,
    LimitChanged,
    OccupantChanged,
    PhaseChanged,
    PresenceChanged,
    Refused,
    Said,
)
from server.sessions.state import EpisodeState
from server.wire.codecs import CODECS
from server.wire.messages import DidEvent, Frame, RefusedEvent, SaidEvent, Snapshot
from server.worker.view.house_snapshot import HouseSnapshot
from server.worker.view.public_view import EpisodeInfo, PublicView
from server.worker.view.viewers import Viewers
from tests.load.client_model import ClientModel
from tests.server.sessions.first_house_sessions import core_of, task

SEATS = ("robot_0", "human_0")


@cache
def core() -> SessionCore:
    return core_of(task(6))


def fresh() -> tuple[EpisodeState, PublicView]:
    """Return the start of the task, in a state of its own."""
    made = core()
    state = EpisodeState(made.spec)
    for change in made.world.everything():
        state.change(change)
    scene, catalogue = made.simulator.scene, made.simulator.catalogue
    labels = made.names.labels
    info = EpisodeInfo("epi_1", "Do it.", COHABIT, "/assets")
    return state, PublicView(
        info, HouseSnapshot(scene, catalogue, labels), made.spec.seats, state, labels
    )


def changes() -> st.SearchStrategy[Any]:
    made = core()
    objects = st.sampled_from(sorted(made.world.objects))
    parts = [
        (f.handle, p.index, p.open_value)
        for f in made.simulator.scene.furniture
        for p in made.simulator.catalogue.templates[f.template].parts
    ]
    metres = st.floats(-9, 9, width=32)
    pose = st.builds(
        lambda x, z, yaw: Pose((x, 0.5, z), yaw_quat(yaw)), metres, metres, st.floats(-4, 4)
    )
    shut = [name for name, surface in made.surfaces.by_name.items() if surface.part is not None]
    support = st.one_of(
        st.sampled_from(shut), objects, st.just(FLOOR), st.none(), st.sampled_from(shut)
    )
    flags = sorted(made.world.states)
    return st.one_of(
        st.builds(
            lambda seat, x, z, yaw: AgentMoved(seat, AgentPose((x, 0.0, z), yaw, 0.1)),
            st.sampled_from(SEATS),
            metres,
            metres,
            st.floats(-4, 4),
        ),
        st.builds(ObjectMoved, objects, pose),
        st.builds(HolderChanged, objects, st.sampled_from([*SEATS, None])),
        st.builds(SupportChanged, objects, support),
        st.builds(
            lambda part, is_open: PartMoved(part[0], part[1], part[2] if is_open else 0.0),
            st.sampled_from(parts),
            st.booleans(),
        ),
        st.builds(lambda key, value: StateChanged(key[0], key[1], value), st.sampled_from(flags),
                  st.booleans()),
    )  # fmt: skip


def events() -> st.SearchStrategy[Any]:
    seat = st.sampled_from(SEATS)
    handle = st.sampled_from(sorted(core().world.objects))
    # Pages count down by themselves, so that no two of a run may be told times that round apart.
    left_s = st.integers(0, 30).map(lambda whole: whole + 0.25)
    return st.one_of(
        st.builds(Said, seat, st.text(max_size=5)),
        st.builds(Did, seat, st.just("pick"), handle),
        st.builds(Refused, seat, st.just("pick"), handle, st.just("rule"), st.just("why")),
        st.builds(PhaseChanged, st.sampled_from(["gathering", "running", "paused", "ended"])),
        st.builds(LimitChanged, st.none() | st.integers(1, 99), st.none() | st.integers(1, 99)),
        st.builds(OccupantChanged, seat, st.sampled_from(["", "expert"]), st.booleans()),
        st.builds(PresenceChanged, seat, st.sampled_from(["connected", "gone"]), st.none()),
        st.builds(PresenceChanged, seat, st.just("reconnecting"), left_s),
        st.builds(FinishChanged, seat, st.booleans()),
    )


def happenings() -> st.SearchStrategy[Any]:
    who = st.integers(0, 4)
    return st.one_of(
        st.tuples(st.just("tick"), st.lists(changes(), max_size=6), st.lists(events(), max_size=3)),
        st.tuples(
            st.just("attach"), st.sampled_from([*SEATS, None]), st.sampled_from(sorted(CODECS))
        ),
        st.tuples(st.just("detach"), who),
        st.tuples(st.just("behind"), who),
        st.tuples(st.just("drained"), who),
    )


class Reader:
    """A client on the other end, and what it should have heard."""

    def __init__(self, seat: str | None, codec: str) -> None:
        self.seat, self.codec = seat, CODECS[codec]
        self.model = ClientModel()
        self.expected: list[str] = []
        self.is_in = False

    def read(self, payload: bytes) -> None:
        message = self.codec.decode_server(payload)
        assert isinstance(message, Snapshot | Frame)
        assert isinstance(message, Snapshot) != self.is_in, "one snapshot, then frames"
        self.is_in = True
        self.model.apply(message)

    def heard(self) -> list[str]:
        found = []
        for event in self.model.events:
            match event:
                case SaidEvent():
                    found.append("said")
                case DidEvent():
                    found.append("did")
                case RefusedEvent():
                    found.append("refused")
        return found


def expect(reader: Reader, told: list[Any]) -> None:
    for event in told:
        if isinstance(event, Said):
            reader.expected.append("said")
        elif isinstance(event, Did):
            reader.expected.append("did")
        elif isinstance(event, Refused) and event.to == reader.seat:
            reader.expected.append("refused")


@given(st.data())
def test_everybody_who_caught_up_knows_what_the_server_knows(data: st.DataObject) -> None:
    state, view = fresh()
    viewers = Viewers(view)
    readers: dict[int, Reader] = {}

    def flush() -> None:
        for connections, payload, _ in viewers.flush():
            for connection in connections:
                readers[connection].read(payload)

    def tick(made: list[Any], told: list[Any]) -> None:
        state.tick += 1
        for change in made:
            # A hand holds one thing: the core sees to that.
            if isinstance(change, HolderChanged) and change.seat in state.world.held:
                continue
            if isinstance(change, SupportChanged) and change.support == change.handle:
                continue
            state.change(change)
            applied.append(change)
        for event in told:
            state.happen(event)
        view.update(state.tick, applied, told)
        applied.clear()
        for reader in readers.values():
            if reader.is_in:
                expect(reader, told)
        flush()

    applied: list[Any] = []
    for number, step in enumerate(data.draw(st.lists(happenings(), min_size=1, max_size=14))):
        match step:
            case ("tick", made, told):
                tick(made, told)
            case ("attach", seat, codec):
                readers[number] = Reader(seat, codec)
                viewers.add(number, seat, codec)
            case (kind, who):
                chosen = sorted(readers)[who % len(readers)] if readers else None
                if chosen is None:
                    continue
                if kind == "detach":
                    viewers.remove(chosen)
                    del readers[chosen]
                else:
                    viewers.set_behind(chosen, kind == "behind")
    for connection in readers:
        viewers.set_behind(connection, False)
    tick([], [])

    truth = ClientModel()
    truth.apply(view.snapshot())
    for reader in readers.values():
        assert reader.model.known() == truth.known()
        assert reader.heard() == reader.expected


@given(st.lists(changes(), max_size=30))
def test_a_view_made_anew_shows_the_same(made: list[Any]) -> None:
    """A view follows from the state, not from how it came about (resume, late join)."""
    state, view = fresh()
    applied = []
    for change in made:
        if isinstance(change, HolderChanged) and change.seat in state.world.held:
            continue
        state.change(change)
        applied.append(change)
        view.update(state.tick, [change], [])
    scene, catalogue = core().simulator.scene, core().simulator.catalogue
    labels = core().names.labels
    info = EpisodeInfo("epi_1", "Do it.", COHABIT, "/assets")
    again = PublicView(
        info, HouseSnapshot(scene, catalogue, labels), core().spec.seats, state, labels
    )
    assert by_name(view) == by_name(again)


def by_name(view: PublicView) -> dict[str, object]:
    """Return what is known, by handle instead of index."""
    model = ClientModel()
    model.apply(view.snapshot())
    known = model.known()
    things = known["things"]
    assert isinstance(things, dict)
    known["things"] = {entry[0]: entry for entry in things.values()}
    parts = known["parts"]
    assert isinstance(parts, dict)
    known["parts"] = {(model.name(index), part): value for (index, part), value in parts.items()}
    return known

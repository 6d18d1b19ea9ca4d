"""The public view: what a player may know, and what not."""

from __future__ import annotations

import msgspec

from episodes.bodies import BODIES
from episodes.poses import Pose, to_world, yaw_quat
from episodes.world import HolderChanged, ObjectMoved, PartMoved, SupportChanged
from server.sessions.core import SessionCore
from server.sessions.events import DoingChanged, Event, OccupantChanged, Refused, Said
from server.wire import messages
from server.wire.codecs import CODECS
from server.wire.messages import RefusedEvent, SaidEvent
from server.worker.view.house_snapshot import HouseSnapshot
from server.worker.view.public_view import EpisodeInfo, PublicView
from server.worker.view.viewers import Viewers
from tests.load.client_model import ClientModel
from tests.server.sessions.first_house_sessions import core_of, task


def view_of(core: SessionCore) -> PublicView:
    scene, catalogue, labels = core.simulator.scene, core.simulator.catalogue, core.names.labels
    info = EpisodeInfo("epi_1", core.task_text, core.profile, "/assets")
    return PublicView(
        info, HouseSnapshot(scene, catalogue, labels), core.spec.seats, core.state, labels
    )


def shut_in() -> tuple[SessionCore, PublicView, str, tuple[str, int, float]]:
    """Return a core, its view, an object in a closed drawer or cupboard, and the door of that."""
    core = core_of(task(6))
    surface = next(
        s for s in core.surfaces.by_name.values() if s.part and s.receptacle.kind == "within"
    )
    assert surface.part is not None
    handle = sorted(core.world.objects)[0]
    core.state.change(PartMoved(surface.furniture.handle, surface.part.index, 0.0))
    core.state.change(SupportChanged(handle, surface.unique_name))
    door = (surface.furniture.handle, surface.part.index, surface.part.open_value)
    return core, view_of(core), handle, door


def test_what_is_shut_in_is_in_no_byte_until_it_is_opened() -> None:
    core, view, handle, (furniture, part, open_value) = shut_in()
    name = handle.partition("_:")[0]
    others = [h for h in core.world.objects if h != handle and h.startswith(f"{name}_:")]
    model = ClientModel()
    model.apply(view.snapshot())
    assert handle not in [model.name(i) for i in model.things]
    if not others:
        assert name not in [t.name for t in view.snapshot().templates]

    # It is moved about in there: nobody hears of that.
    change = ObjectMoved(handle, Pose((1.0, 0.5, 1.0), yaw_quat(0.0)))
    core.state.change(change)
    view.update(1, [change], [])
    assert view.frame_since(0, None) is None

    opened = PartMoved(furniture, part, open_value)
    core.state.change(opened)
    view.update(2, [opened], [])
    frame = view.frame_since(1, None)
    assert frame is not None
    model.apply(frame)
    index = model.index(handle)
    assert model.things[index].position == (1000, 500, 1000)
    assert view.handle(index) == handle

    closed = PartMoved(furniture, part, 0.0)
    core.state.change(closed)
    view.update(3, [closed], [])
    frame = view.frame_since(2, None)
    assert frame is not None
    assert frame.vanished == (index,)
    assert view.handle(index) is None
    assert view.snapshot().entities[index].template == -1


def test_the_pose_of_a_held_object_follows_from_the_carry_offset() -> None:
    core = core_of(task(1))
    view = view_of(core)
    handle = next(h for h in sorted(core.world.objects) if core.shut_in(h) is None)
    index = view.entity_number(handle)
    change = HolderChanged(handle, "human_0")
    core.state.change(change)
    view.update(1, [change], [])
    frame = view.frame_since(0, None)
    assert frame is not None
    assert frame.objects == ()
    seat = frame.holders[0].seat
    info = view.snapshot().seats[seat]
    agent = core.world.agents["human_0"]
    x, y, z = info.carry
    derived = to_world(Pose(agent.position, yaw_quat(agent.yaw)), (x / 1000, y / 1000, z / 1000))
    assert derived == core.world.pose(handle).position
    assert info.carry == tuple(round(v * 1000) for v in BODIES["human"].carry)
    assert view.snapshot().entities[index].position == (0, 0, 0)


def test_private_events_go_to_their_seat_and_the_rest_is_encoded_once() -> None:
    core = core_of(task(1))
    viewers = Viewers(view := view_of(core))
    for number, seat in enumerate(("human_0", "robot_0", None), 1):
        viewers.add(number, seat, "msgpack")
    viewers.flush()
    view.update(1, [], [Said("human_0", "a"), Refused("robot_0", "pick", None, "r", "why")])
    sent = {}
    for outgoing in viewers.flush():
        for connection in outgoing.connections:
            sent[connection] = outgoing
    assert sent[1] is sent[3]
    events = {
        number: CODECS["msgpack"].decode_server(outgoing.payload).events  # type: ignore[union-attr]
        for number, outgoing in sent.items()
    }
    assert [type(e) for e in events[1]] == [SaidEvent]
    assert [type(e) for e in events[2]] == [SaidEvent, RefusedEvent]


def test_what_somebody_was_doing_is_over_when_somebody_else_takes_the_seat() -> None:
    core = core_of(task(1))
    viewers = Viewers(view := view_of(core))
    viewers.add(1, "human_0", "json")
    viewers.flush()

    def told(tick: int, event: Event) -> list[messages.SeatState]:
        view.update(tick, [], [event])
        frames = [CODECS["json"].decode_server(o.payload) for o in viewers.flush()]
        return [
            seat for frame in frames if isinstance(frame, messages.Frame) for seat in frame.seats
        ]

    robot = view.seat_number("robot_0")
    (seat,) = told(1, DoingChanged("robot_0", "getting no answer"))
    assert (seat.seat, seat.doing) == (robot, "getting no answer")
    (seat,) = told(2, OccupantChanged("robot_0", "expert"))
    assert (seat.seat, seat.doing) == (robot, "")
    # Where nothing was told, a change of who sits there is nothing to tell.
    assert told(3, OccupantChanged("robot_0", "react")) == []


def test_a_snapshot_is_compressed_once_for_all_who_join() -> None:
    viewers = Viewers(view_of(core_of(task(1))))
    for number in range(5):
        viewers.add(number, None, "json")
    assert [outgoing.connections for outgoing in viewers.flush()] == [(0, 1, 2, 3, 4)]


def test_no_message_has_a_place_for_what_is_hidden() -> None:
    """Conditions, who or what the partner is, what the evaluator thinks have no field."""
    words = {"condition", "policy", "verdict", "percent", "proposition", "partner_kind", "model"}
    for message in vars(messages).values():
        if isinstance(message, type) and issubclass(message, msgspec.Struct):
            assert not words & set(message.__struct_fields__), message


def test_what_was_said_in_an_earlier_try_is_shown_no_more() -> None:
    core = core_of(task(6))
    seat = core.spec.seats[0].seat.seat_id
    core.state.tick = 5
    core.state.happen(Said(seat, "of before"))
    core.state.chat_shown_after = core.state.tick
    core.state.tick = 6
    core.state.happen(Said(seat, "of now"))
    assert [line.text for line in view_of(core).snapshot().chat] == ["of now"]
    assert [line.text for line in core.chat] == ["of before", "of now"]

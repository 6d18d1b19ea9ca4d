"""Golden vectors of sync: what a server sent, and what a client must know then.

The browser's tests read the same file: two implementations of the protocol come to the same world.
Run as a program (with PYTHONPATH=.) it writes them anew, after a change of the messages.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from server.wire.codecs import CODECS, inflate
from server.wire.messages import Frame, Snapshot
from tests.load.client_model import ClientModel

VECTORS = Path(__file__).parents[2] / "data" / "sync_vectors.json"
JSON = CODECS["json"]


def vectors() -> dict[str, Any]:
    """Play a task with two experts, and return what three readers are sent of it.

    One reader is quick, one reads only now and then, and one comes late. ``end`` is the snapshot
    that a newcomer would get.
    """
    from server.robots.baselines.expert import Expert
    from server.robots.baselines.expert.agenda import Agenda
    from server.worker.view.house_snapshot import house_of
    from server.worker.view.public_view import EpisodeInfo, PublicView
    from server.worker.view.viewers import Viewers
    from tests.server.sessions.first_house_sessions import HUMAN, ROBOT, core_of, task

    core = core_of(task(5))
    house = house_of(core.simulator.scene, core.simulator.catalogue, core.names.labels)
    info = EpisodeInfo("epi_1", core.task_text, core.profile, "/assets")
    view = PublicView(info, house, core.spec.seats, core.state, core.names.labels)
    viewers = Viewers(view)
    agenda = Agenda((HUMAN, ROBOT))
    players = [Expert(seat, agenda) for seat in (HUMAN, ROBOT)]
    quick, slow, late = 1, 2, 3
    sent: dict[int, list[Any]] = {quick: [], slow: [], late: []}
    viewers.add(quick, HUMAN, "json")
    viewers.add(slow, ROBOT, "json")
    while core.phase != "ended" and core.tick < 4000:
        for player in players:
            for intent in player.intents(core):
                core.submit(player.seat, intent)
        tick = core.step()
        for player in players:
            player.see(tick)
        view.update(tick.tick, tick.changes, tick.events)
        if core.tick == 300:
            viewers.add(late, None, "json")
        # A second of every two; the quick one is kept short by reading in bunches of ten.
        viewers.set_behind(slow, core.tick % 60 < 57)
        viewers.set_behind(quick, core.tick % 10 != 0)
        viewers.set_behind(late, core.tick % 10 != 5)
        for connections, payload, _ in viewers.flush():
            plain = inflate(payload) if payload[:1] == b"\x78" else payload
            for connection in connections:
                sent[connection].append(json.loads(plain))
    for connection in sent:
        viewers.set_behind(connection, False)
    for connections, payload, _ in viewers.flush():
        for connection in connections:
            sent[connection].append(json.loads(payload))
    end = json.loads(JSON.encode(view.snapshot()))
    return {
        "about": "For each reader all it was sent; the world is then that of the snapshot `end`.",
        "readers": {"quick": sent[quick], "slow": sent[slow], "late": sent[late]},
        "end": end,
    }


def folded(sent: list[Any]) -> ClientModel:
    model = ClientModel()
    for fields in sent:
        message = JSON.decode_server(json.dumps(fields))
        assert isinstance(message, Snapshot | Frame)
        model.apply(message)
    return model


def test_every_reader_comes_to_the_same_world() -> None:
    stored = json.loads(VECTORS.read_text())
    end = folded([stored["end"]])
    assert set(stored["readers"]) == {"quick", "slow", "late"}
    for name, sent in stored["readers"].items():
        assert len(sent) > 5, name
        assert folded(sent).known() == end.known(), name


def test_the_vectors_have_something_of_everything() -> None:
    """The vectors would prove little if nothing was opened, carried or said to be done."""
    stored = json.loads(VECTORS.read_text())
    seen = set()
    for fields in stored["readers"]["quick"][1:]:
        frame = JSON.decode_server(json.dumps(fields))
        assert isinstance(frame, Frame)
        seen |= {name for name in frame.__struct_fields__ if getattr(frame, name)}
    wanted = {"agents", "objects", "parts", "holders", "seats", "events", "appeared"}
    assert wanted <= seen


def test_messages_of_today_are_as_stored() -> None:
    """A change of the messages is a change of what stored recordings and other clients read."""
    stored = json.loads(VECTORS.read_text())
    for fields in [stored["end"], *stored["readers"]["slow"]]:
        message = JSON.decode_server(json.dumps(fields))
        again = json.loads(JSON.encode(message))
        assert again[: len(fields)] == fields


if __name__ == "__main__":
    VECTORS.write_text(json.dumps(vectors(), separators=(",", ":")) + "\n")

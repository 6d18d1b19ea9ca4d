"""The cost of the wire: microseconds to encode a frame, bytes of frames and of the first snapshot.

    python -m tests.benchmarks.wire

The walk is a real one (household, evaluator and log on) in the first house; the crowded house is
the first one with as many objects as make 350 things, all furniture open. Times are of the
processor.
"""

from __future__ import annotations

import io
import math
import random
import time
from collections import Counter

from episodes.dataset import Task
from episodes.poses import to_world
from episodes.scene import receptacle_id
from server.recording.log_writer import LogWriter
from server.sessions.core import SessionCore
from server.sessions.intents import Drive, Look, Ready
from server.sessions.spec import EpisodeSpec, SessionSpec
from server.wire.codecs import CODECS, deflate
from server.wire.messages import Frame, Snapshot
from server.worker.live_session import LiveSession
from server.worker.view.house_snapshot import HouseSnapshot
from server.worker.view.public_view import EpisodeInfo, PublicView
from tests.server.sessions.first_house_sessions import core_of, library, simulator

TICKS = 3000
FRAMING = 2
THINGS = 350


def walk() -> None:
    """Both walk and turn for 100 s; two viewers."""
    core = core_of()
    session = LiveSession(
        core, LogWriter(io.BytesIO()), loading_ticks=9999, code_version="", resumed=False
    )
    session.attach(1, "human_0", "msgpack")
    session.attach(2, "robot_0", "msgpack")
    for seat in core.seats:
        core.submit(seat, Ready())
    rng = random.Random(1)
    sizes, wire_s, step_s = [], 0.0, 0.0
    yaw = dict.fromkeys(core.seats, 0.0)
    for tick in range(TICKS):
        if tick % 3 == 0:
            for seat in core.seats:
                yaw[seat] += rng.uniform(0.0, 0.5)
                core.submit(seat, Drive(1.3, 0.0))
                core.submit(seat, Look(math.remainder(yaw[seat], math.tau), rng.uniform(-0.4, 0)))
        begun = time.process_time()
        outgoing = session.step(float(tick) / 30)
        step_s += time.process_time() - begun
        sizes += [len(o.payload) + FRAMING for o in outgoing if not _is_first(o.payload)]
        begun = time.process_time()
        frame = session.view.frame_since(session.view.version - 1, None)
        if frame is not None:
            CODECS["msgpack"].encode(frame)
        wire_s += time.process_time() - begun
    print(f"whole tick, both walking     {1e6 * step_s / TICKS:.0f} us (core, log, view, encode)")
    print(f"frame and its encoding       {1e6 * wire_s / TICKS:.1f} us")
    mean = sum(sizes) / len(sizes)
    print(f"frame, msgpack               mean {mean:.1f} B with framing, most {max(sizes)} B")
    print(f"traffic per client           {mean * len(sizes) / TICKS * 30:.0f} B/s")


def _is_first(payload: bytes) -> bool:
    return isinstance(CODECS["msgpack"].decode_server(payload), Snapshot) or not isinstance(
        CODECS["msgpack"].decode_server(payload), Frame
    )


def crowded() -> SessionCore:
    """Return the first house with as many objects as make 350 things in it."""
    house = library().house(core_of().task.scene_id)
    scene, catalogue = house.scene, house.catalogue
    rng = random.Random(1)
    shapes = [t for t in catalogue.templates.values() if t.kind == "object"]
    surfaces = [
        (f, r) for f in scene.furniture for r in catalogue.templates[f.template].receptacles
    ]
    count: Counter[str] = Counter()
    rigid, standing = [], {}
    for _ in range(THINGS - len(scene.furniture)):
        template, (furniture, r) = rng.choice(shapes), rng.choice(surfaces)
        x, y, z = r.center
        x, z = x + rng.uniform(-1, 1) * r.half_x, z + rng.uniform(-1, 1) * r.half_z
        px, py, pz = to_world(furniture.pose, (x, y, z))
        angle = rng.uniform(-math.pi, math.pi)
        c, s = math.cos(angle), math.sin(angle)
        handle = f"{template.name}_:{count[template.name]:04d}"
        count[template.name] += 1
        matrix = [[c, 0.0, s, px], [0.0, 1.0, 0.0, py], [-s, 0.0, c, pz], [0.0, 0.0, 0.0, 1.0]]
        rigid.append((f"{template.name}.object_config.json", matrix))
        standing[handle] = receptacle_id(furniture.handle, r.name)
    task = Task(
        task_id="crowded",
        scene_id=scene.scene_id,
        rigid_objs=rigid,
        name_to_receptacle=standing,
        instruction="Bring the cup to the table in the living room and switch on the lamp.",
    )
    core = SessionCore(
        SessionSpec.pair("ses_1", 1), EpisodeSpec("epi_1", "x", "t"), task, simulator()
    )
    for furniture in scene.furniture:
        for part in catalogue.templates[furniture.template].parts:
            core.world.joints[furniture.handle, part.index] = part.open_value
    return core


def snapshot() -> None:
    for name, core in (("the first task", core_of()), (f"{THINGS} things", crowded())):
        scene, catalogue, labels = core.simulator.scene, core.simulator.catalogue, core.names.labels
        info = EpisodeInfo("epi_1", core.task_text, core.profile, "/assets")
        view = PublicView(
            info, HouseSnapshot(scene, catalogue, labels), core.spec.seats, core.state, labels
        )
        for codec in CODECS.values():
            plain = codec.encode(view.snapshot())
            print(
                f"first snapshot, {name}, {codec.name:8} {len(deflate(plain))} B compressed, "
                f"{len(plain)} B plain"
            )
        begun = time.process_time()
        deflate(CODECS["msgpack"].encode(view.snapshot()))
        print(f"its making                   {1e3 * (time.process_time() - begun):.1f} ms")


if __name__ == "__main__":
    walk()
    snapshot()

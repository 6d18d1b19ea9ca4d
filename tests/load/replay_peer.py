"""The same motion as gfx-replay shaped JSON, which Habitat HITL sends: what it would have cost.

A keyframe each frame: the absolute transform of each of a Spot's 22 link instances, and the whole
pose of a humanoid's 54 bones, as Habitat sends whenever a body moves (four decimals, quaternions
as w, x, y, z). Where the bodies stand is what our clients saw. They glide without moving a limb,
which is less than Habitat sends, and all bodies but the first are robots, which are smaller: the
figures are a lower bound.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Sequence

from tests.load.crowd import Motion

LINKS = 22
BONES = 54
DEFLATE_LEVEL = 1
DEFLATE_WINDOW = -12
"""As the websockets library compresses by default: a window of 4 KiB, kept between messages."""

Transform = tuple[list[float], list[float]]


def bytes_of(motion: Sequence[Motion]) -> tuple[int, int]:
    """Bytes of all frames, raw and deflated."""
    packer = zlib.compressobj(DEFLATE_LEVEL, zlib.DEFLATED, DEFLATE_WINDOW, 5)
    raw = packed = 0
    bodies: dict[int, tuple[int, int, int, int]] = {}
    for tick, changed in motion:
        bodies.update(changed)
        payload = _keyframe(tick, bodies, changed)
        raw += len(payload)
        packed += len(packer.compress(payload) + packer.flush(zlib.Z_SYNC_FLUSH)) - 4
    return raw, packed


def _keyframe(
    tick: int,
    bodies: dict[int, tuple[int, int, int, int]],
    changed: dict[int, tuple[int, int, int, int]],
) -> bytes:
    keyframe: dict[str, object] = {"deletions": [], "message": {"serverKeyframeId": tick}}
    states = []
    for seat in changed:
        parts = _parts(bodies[seat], BONES if seat == 0 else LINKS)
        if seat == 0:
            pose = [{"t": t, "r": r} for t, r in parts]
            keyframe["rigUpdates"] = [{"id": 0, "pose": pose}]
        else:
            states += [
                {
                    "instanceKey": 400 + LINKS * (seat - 1) + n,
                    "state": {"absTransform": {"translation": t, "rotation": r}},
                }
                for n, (t, r) in enumerate(parts)
            ]
    if states:
        keyframe["stateUpdates"] = states
    return json.dumps({"keyframes": [keyframe]}, separators=(",", ":")).encode()


def _parts(body: tuple[int, int, int, int], count: int) -> list[Transform]:
    x, z, yaw_mrad, y = body
    yaw = yaw_mrad / 1000
    turn = [round(math.cos(yaw / 2), 4), 0.0, round(math.sin(yaw / 2), 4), 0.0]
    parts = []
    for n in range(count):
        across, up, along = 0.04 * (n % 5 - 2), 0.03 * n, 0.03 * (n % 3 - 1)
        place = [
            x / 1000 + across * math.cos(yaw) + along * math.sin(yaw),
            y / 1000 + up,
            z / 1000 - across * math.sin(yaw) + along * math.cos(yaw),
        ]
        parts.append(([round(v, 4) for v in place], turn))
    return parts

"""The engine, habitat-sim: the one place that imports it, and the boundary of its conventions.

habitat-sim is not on PyPI and has no type stubs; everything of it is `Any` here. Its quaternions
are w, x, y, z and its numbers single precision; ours are x, y, z, w and double. Conversions are
here and nowhere else.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

# Set before the import: both libraries read these once, else they print a page per simulator.
os.environ.setdefault("MAGNUM_LOG", "quiet")
os.environ.setdefault("HABITAT_SIM_LOG", "quiet")

import habitat_sim as _habitat_sim  # type: ignore[import-not-found,unused-ignore]
import magnum as _magnum  # type: ignore[import-not-found,unused-ignore]

from episodes.poses import Pose, Quat, Vec3

habitat_sim: Any = _habitat_sim
magnum: Any = _magnum

VERSION: str = str(habitat_sim.__version__)


def vector(v: Vec3) -> Any:
    return magnum.Vector3(*v)


def point(v: Any) -> Vec3:
    return (float(v[0]), float(v[1]), float(v[2]))


def quaternion(rotation: Quat) -> Any:
    x, y, z, w = rotation
    return magnum.Quaternion(magnum.Vector3(x, y, z), w)


def rotation(q: Any) -> Quat:
    x, y, z = q.vector
    return (float(x), float(y), float(z), float(q.scalar))


def rigid_state(pose: Pose) -> Any:
    return habitat_sim.RigidState(quaternion(pose.rotation), vector(pose.position))


def ray(origin: Vec3, direction: Vec3) -> Any:
    return habitat_sim.geo.Ray(vector(origin), vector(direction))


def configuration(config: Path, scene_id: str) -> Any:
    """Return the configuration of a simulator without renderer, sensors or GPU.

    ``gpu_device_id`` means a CUDA device and is 0 by default, and a renderer without CUDA ends
    the process; so neither is left to a default.
    """
    simulator = habitat_sim.SimulatorConfiguration()
    simulator.scene_dataset_config_file = str(config)
    simulator.scene_id = scene_id
    simulator.create_renderer = False
    simulator.gpu_device_id = -1
    simulator.enable_physics = True
    simulator.load_semantic_mesh = False
    agent = habitat_sim.agent.AgentConfiguration()
    agent.sensor_specifications = []
    return habitat_sim.Configuration(simulator, [agent])


def start(config: Path, scene_id: str) -> Any:
    """Start a simulator with a scene loaded."""
    return habitat_sim.Simulator(configuration(config, scene_id))

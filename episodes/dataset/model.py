"""A task, which PARTNR calls an episode, as typed, frozen values."""

from __future__ import annotations

from typing import Any

import msgspec


class Proposition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A statement about the world: a predicate's name and its keyword arguments as in the file."""

    function_name: str
    args: dict[str, Any]


class Dependency(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A condition for looking at propositions, in terms of what others have been so far."""

    proposition_indices: list[int]
    depends_on: list[int]
    relation_type: str
    dependency_mode: str = "all"


class Constraint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule over the whole episode: its class name in PARTNR and the arguments of that class."""

    type: str
    args: dict[str, Any]


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """An item of a data set, with the field names of the file.

    The file calls ``task_id`` ``episode_id``. Positions are metres, ``start_rotation`` is x, y,
    z, w, ``rigid_objs`` holds pairs of a template file name and a row-major 4 x 4 matrix.
    ``extra`` keeps fields that the format does not name; they are written back beside the
    others.
    """

    task_id: str = msgspec.field(name="episode_id")
    scene_id: str
    scene_dataset_config: str = ""
    additional_obj_config_paths: list[str] = msgspec.field(default_factory=list)
    start_position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    start_rotation: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)
    info: dict[str, Any] = msgspec.field(default_factory=dict)
    ao_states: dict[str, dict[str, float]] = msgspec.field(default_factory=dict)
    rigid_objs: list[tuple[str, list[list[float]]]] = msgspec.field(default_factory=list)
    targets: dict[str, Any] = msgspec.field(default_factory=dict)
    markers: list[Any] = msgspec.field(default_factory=list)
    target_receptacles: list[Any] = msgspec.field(default_factory=list)
    goal_receptacles: list[Any] = msgspec.field(default_factory=list)
    name_to_receptacle: dict[str, str] = msgspec.field(default_factory=dict)
    instruction: str = ""
    evaluation_propositions: list[Proposition] = msgspec.field(default_factory=list)
    evaluation_proposition_dependencies: list[Dependency] = msgspec.field(default_factory=list)
    evaluation_constraints: list[Constraint] = msgspec.field(default_factory=list)
    object_states: dict[str, dict[str, bool]] = msgspec.field(default_factory=dict)
    extra: dict[str, Any] = msgspec.field(default_factory=dict)


TASK_FIELDS: tuple[str, ...] = tuple(
    name for name in Task.__struct_encode_fields__ if name != "extra"
)

"""Checks of a task against its scene, so that it is refused before anybody waits for it."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import NoReturn

from episodes.dataset.errors import DatasetError
from episodes.dataset.model import Proposition, Task
from episodes.dataset.vocabulary import PREDICATES, STATE_NAMES
from episodes.scene import (
    Catalogue,
    Scene,
    Template,
    receptacle_id,
    split_receptacle_id,
    template_name,
)

FLOOR = "floor"
Affords = Callable[[str, str], bool] | Mapping[str, Container[str]]


def check_in_scene(task: Task, scene: Scene, catalogue: Catalogue, file: str = "") -> None:
    """Check a task against everything that a scene and its catalogue know.

    Raises DatasetError with ``file``, task, path and (for lists) index, as
    `check_against_scene` does.
    """
    templates = {f.handle: catalogue.templates[f.template] for f in scene.furniture}
    furniture = dict(templates)
    for index, handle in enumerate(task.name_to_receptacle):
        template = catalogue.templates.get(template_name(handle))
        if template is None or template.kind != "object":
            _refuse(task, file, f"name_to_receptacle[{handle!r}]", "an object of the catalogue",
                    handle, index)  # fmt: skip
        templates[handle] = template
    check_against_scene(
        task,
        templates,
        {room.room_id for room in scene.rooms},
        {handle: template.affords for handle, template in templates.items()},
        receptacles={receptacle_id(h, r.name) for h, t in furniture.items() for r in t.receptacles},
        links={h: _links(t) for h, t in furniture.items()},
        fixed=furniture,
        file=file,
    )


def check_against_scene(
    task: Task,
    known_handles: Container[str],
    rooms: Container[str],
    affords: Affords,
    *,
    receptacles: Container[str] | None = None,
    links: Mapping[str, Container[str]] | None = None,
    fixed: Container[str] = (),
    file: str = "",
) -> None:
    """Refuse a task that names what its scene does not have.

    ``known_handles`` holds every object (the task's own included) and piece of furniture,
    ``rooms`` the room ids. ``affords`` answers (handle, state name) for ``is_clean``,
    ``is_filled`` and ``is_powered_on``, or maps a handle to its states. ``receptacles`` holds the
    unique names, ``links`` the parts of furniture by name; where they are not given, only the
    furniture is looked at. ``fixed`` holds what cannot lie on a floor. Raises DatasetError whose
    ``index`` is that of the proposition (or of the entry of the field).
    """
    afforded = affords if callable(affords) else _lookup(affords)
    _start_places(task, file, known_handles, receptacles)
    for index, proposition in enumerate(task.evaluation_propositions):
        _proposition(task, file, index, proposition, known_handles, rooms, afforded, fixed)
    for index, (state, values) in enumerate(task.object_states.items()):
        if state not in STATE_NAMES:
            expected = "one of " + ", ".join(STATE_NAMES)
            _refuse(task, file, "object_states", expected, state, index)
        for position, handle in enumerate(values):
            path = f"object_states.{state}"
            if handle not in known_handles:
                _refuse(task, file, path, "an object or furniture of the scene", handle,
                        position)  # fmt: skip
            if not afforded(handle, state):
                _refuse(task, file, path, f"a thing that can have the state {state}", handle,
                        position)  # fmt: skip
    for index, (handle, joints) in enumerate(task.ao_states.items()):
        if handle not in known_handles:
            _refuse(task, file, "ao_states", "furniture of the scene", handle, index)
        for link in joints:
            if links is not None and link not in links.get(handle, ()):
                _refuse(task, file, f"ao_states[{handle!r}]", "a part of it", link, index)


def _links(template: Template) -> set[str]:
    """Return what ``ao_states`` may call the parts of furniture."""
    parts = template.parts
    return {n for p in parts for n in (p.name, str(p.index), f"part_{p.index}")}


def _refuse(task: Task, file: str, path: str, expected: str, got: str, index: int) -> NoReturn:
    raise DatasetError(
        f"expected {expected}, got {got!r}",
        file=file,
        task=task.task_id,
        path=path,
        index=index,
    )


def _proposition(
    task: Task,
    file: str,
    index: int,
    proposition: Proposition,
    known_handles: Container[str],
    rooms: Container[str],
    afforded: Callable[[str, str], bool],
    fixed: Container[str],
) -> None:
    signature = PREDICATES[proposition.function_name]
    for name in signature.list_names:
        path = f"evaluation_propositions[{index}].args.{name}"
        value = proposition.args[name]
        for item in [h for group in value for h in group] if signature.is_clustered else value:
            if item not in (rooms if name == "room_ids" else known_handles):
                what = "a room" if name == "room_ids" else "an object or furniture"
                _refuse(task, file, path, f"{what} of the scene", item, index)
            if signature.state is not None and not afforded(item, signature.state):
                expected = f"a thing that can have the state {signature.state}"
                _refuse(task, file, path, expected, item, index)
            if signature.name == "is_on_floor" and item in fixed:
                _refuse(task, file, path, "an object, which can lie on a floor", item, index)


def _start_places(
    task: Task,
    file: str,
    known_handles: Container[str],
    receptacles: Container[str] | None,
) -> None:
    places = task.name_to_receptacle
    if len(places) != len(task.rigid_objs):
        raise DatasetError(
            f"expected a place for each of {len(task.rigid_objs)} rigid_objs, got {len(places)}",
            file=file,
            task=task.task_id,
            path="name_to_receptacle",
        )
    for index, (handle, place) in enumerate(places.items()):
        path = f"name_to_receptacle[{handle!r}]"
        if place == FLOOR or ("|" not in place and place in known_handles):
            continue
        known = "|" in place and split_receptacle_id(place)[0] in known_handles
        if not known or (receptacles is not None and place not in receptacles):
            expected = f"a receptacle of the scene or {FLOOR!r}"
            _refuse(task, file, path, expected, place, index)


def _lookup(table: Mapping[str, Container[str]]) -> Callable[[str, str], bool]:
    return lambda handle, state: state in table.get(handle, ())

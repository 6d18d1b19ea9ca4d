"""Draft of a task: objects at their places, goals in groups, then the finished task."""

from __future__ import annotations

import random
from collections.abc import Sequence

from episodes.dataset import Constraint, Proposition, Task, validate_evaluation
from episodes.dataset.vocabulary import DEFAULT_L2_THRESHOLD_M
from episodes.evaluation.automatic_dependencies import attach_automatic
from episodes.poses import Pose
from episodes.scene import Affordance, Catalogue, Scene, Template
from episodes.tasks.start_places import Place, Spots, fits, matrix_of, places_of

DEFAULT_STATES: dict[Affordance, bool] = {
    "is_clean": True,
    "is_filled": False,
    "is_powered_on": False,
}
"""States of a thing at the start when the task says nothing (a household in good order)."""


class TaskError(Exception):
    """The scene has no place for what a task needs."""


class Draft:
    """Objects and goals of one task in the making."""

    def __init__(
        self,
        scene: Scene,
        catalogue: Catalogue,
        rng: random.Random,
        places: Sequence[Place] | None = None,
    ) -> None:
        """Begin a draft; ``places`` are the scene's, where they are known already."""
        self.scene = scene
        self.catalogue = catalogue
        self.rng = rng
        self.goal_furniture: set[str] = set()
        self._spots = Spots(places_of(scene, catalogue) if places is None else places, rng)
        self._objects: dict[str, tuple[Pose, Place]] = {}
        self._states: dict[tuple[str, Affordance], bool] = {}
        self._propositions: list[Proposition] = []
        self._groups: list[list[int]] = [[]]
        self._ties: list[Constraint] = []
        self._requests: list[dict[str, object]] = []

    # Furniture

    def furniture(self, class_name: str, room: str | None = None) -> list[str]:
        """Return the handles of all furniture of a class, in rooms of a class if one is given."""
        return [
            f.handle
            for f in self.scene.furniture
            if self.catalogue.templates[f.template].class_name == class_name
            and (room is None or f.room_id.partition(".")[0] == room)
        ]

    def first_room(self, class_name: str, *rooms: str) -> str:
        """Return the first of these room classes that has such furniture.

        Raises TaskError when none has.
        """
        for room in rooms:
            if self.furniture(class_name, room):
                return room
        raise TaskError(f"no {class_name} in {' or '.join(rooms)}")

    def class_of(self, handle: str) -> str:
        return self.catalogue.of_handle(handle).class_name

    # Objects

    def add(
        self,
        class_name: str,
        places: Sequence[Place],
        variant: int | None = None,
        clutter: bool = False,
        **states: bool,
    ) -> str:
        """Put an object at the first of these places that has room; return its handle.

        Raises TaskError when none has.
        """
        return self.put(self._variant(class_name, variant), places, clutter, **states)

    def put(
        self, template: Template, places: Sequence[Place], clutter: bool = False, **states: bool
    ) -> str:
        """Put an object of a template at the first of these places that has room, as `add` does."""
        for place in places:
            pose = self._spots.put(template, place)
            if pose is None:
                continue
            count = sum(1 for h in self._objects if h.startswith(f"{template.name}_:"))
            handle = f"{template.name}_:{count:04d}"
            self._objects[handle] = (pose, place)
            for state in template.affords:
                self._states[handle, state] = states.get(state, DEFAULT_STATES[state])
            request: dict[str, object] = {
                "number": 1,
                "object_classes": [template.class_name],
                "furniture_names": [self.catalogue.templates[place.furniture.template].class_name],
                "allowed_regions": [place.furniture.room_id],
            }
            self._requests.append({"name": "clutter", **request} if clutter else request)
            return handle
        raise TaskError(f"no room for a {template.class_name} in {len(places)} places")

    def _variant(self, class_name: str, variant: int | None) -> Template:
        names = sorted(
            n
            for n, t in self.catalogue.templates.items()
            if t.class_name == class_name and t.kind == "object"
        )
        name = self.rng.choice(names) if variant is None else f"{class_name}_{variant}"
        return self.catalogue.templates[name]

    def place_of(self, handle: str) -> Place:
        """Return where an object starts."""
        return self._objects[handle][1]

    def start_of(self, handle: str) -> str:
        """Return the room that an object starts in."""
        return self.place_of(handle).furniture.room_id

    def start_room(self, handle: str) -> str:
        """Return the class of the room that an object starts in."""
        return self.start_of(handle).partition(".")[0]

    def places(
        self,
        class_name: str,
        *rooms: str,
        kind: str | None = None,
        closed: bool | None = None,
        names: Sequence[str] | None = None,
    ) -> list[Place]:
        """Return receptacles of a furniture class, shuffled; in these room classes or all."""
        found = [
            p
            for p in self._spots.places
            if self.catalogue.templates[p.furniture.template].class_name == class_name
            and (not rooms or p.furniture.room_id.partition(".")[0] in rooms)
            and (kind is None or p.receptacle.kind == kind)
            and (closed is None or (p.receptacle.part is not None) == closed)
            and (names is None or p.receptacle.name in names)
            and p.furniture.handle not in self.goal_furniture
        ]
        self.rng.shuffle(found)
        return found

    def fits(self, handle: str, furniture: str, kind: str) -> bool:
        """Tell whether an empty receptacle of a kind on a piece of furniture takes an object."""
        template = self.catalogue.of_handle(handle)
        receptacles = self.catalogue.of_handle(furniture).receptacles
        return any(r.kind == kind and fits(template, r) for r in receptacles)

    def clutter(self, wishes: Sequence[tuple[str, str, Sequence[str]]], count: int) -> None:
        """Put up to ``count`` things that lie about: (object class, furniture class, rooms)."""
        there = {self.class_of(h) for h in self._objects}
        chosen = [w for w in wishes if w[0] not in there]
        self.rng.shuffle(chosen)
        for class_name, furniture, rooms in chosen:
            if count == 0:
                return
            places = self.places(furniture, *rooms, kind="on")
            try:
                self.add(class_name, places, clutter=True)
            except TaskError:
                continue
            count -= 1

    # Goals

    def goal(self, function_name: str, **args: object) -> int:
        """Add a proposition, with the packer's defaults, to the current group; return its index."""
        if function_name in ("is_on_top", "is_inside"):
            args = {"number": 1, "is_same_receptacle": False, **args}
        elif function_name == "is_next_to":
            args = {"number": 1, "is_same_b": False, "l2_threshold": DEFAULT_L2_THRESHOLD_M, **args}
        else:
            args = {"number": 1, **args}
        self._propositions.append(Proposition(function_name, dict(args)))
        index = len(self._propositions) - 1
        self._groups[-1].append(index)
        return index

    def then(self) -> None:
        """Begin a group: what follows is to be done after what came before."""
        if self._groups[-1]:
            self._groups.append([])

    def tie(self, constraint_type: str, argument: str, *indices: int) -> None:
        """Require that propositions are satisfied with the same thing, or with different ones."""
        args = {"proposition_indices": list(indices), "arg_names": [argument] * len(indices)}
        self._ties.append(Constraint(constraint_type, args))

    def set_furniture(self, handle: str, state: Affordance, value: bool) -> None:
        self._states[handle, state] = value

    # The finished task

    def task(
        self,
        task_id: str,
        instruction: str,
        starts: dict[str, list[float]],
        **about: object,
    ) -> Task:
        """Finish the task, with its evaluation fields as PARTNR's packer would write them.

        ``starts`` are the poses of the seats, ``about`` goes into ``info["cohabit"]``.
        """
        count = len(self._propositions)
        edges = [
            [before, after]
            for earlier, later in zip(self._groups, self._groups[1:], strict=False)
            for before in earlier
            for after in later
        ]
        temporal = Constraint("TemporalConstraint", {"dag_edges": edges, "n_propositions": count})
        ties = [Constraint(t.type, {**t.args, "n_propositions": count}) for t in self._ties]
        dependencies, constraints = attach_automatic(self._propositions, [], [temporal, *ties])
        validate_evaluation(self._propositions, dependencies, constraints)
        return Task(
            task_id=task_id,
            scene_id=self.scene.scene_id,
            info={
                "object_labels": {},
                "initial_state": self._requests,
                "object_initializations": {
                    h: "within" if place.receptacle.kind == "within" else "ontop"
                    for h, (_, place) in self._objects.items()
                },
                "start_poses": starts,
                "cohabit": {**about, "scene_digest": self.scene.digest},
            },
            rigid_objs=[
                (f"{h.partition('_:')[0]}.object_config.json", matrix_of(pose))
                for h, (pose, _) in self._objects.items()
            ],
            name_to_receptacle={h: place.unique_name for h, (_, place) in self._objects.items()},
            instruction=instruction,
            evaluation_propositions=self._propositions,
            evaluation_proposition_dependencies=dependencies,
            evaluation_constraints=constraints,
            object_states=self._object_states(),
        )

    def _object_states(self) -> dict[str, dict[str, bool]]:
        """Return every state of everything that affords it, furniture included."""
        for furniture in self.scene.furniture:
            for state in self.catalogue.templates[furniture.template].affords:
                self._states.setdefault((furniture.handle, state), DEFAULT_STATES[state])
        out: dict[str, dict[str, bool]] = {state: {} for state in DEFAULT_STATES}
        for (handle, name), value in sorted(self._states.items()):
            out[name][handle] = value
        return out

"""The JSON files of a Habitat scene data set, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from episodes.bodies import BODIES, RADIUS
from episodes.poses import Quat
from episodes.scene import Catalogue, Receptacle, Scene, Template, receptacle_id, template_name
from server.simulators.habitat.export.links import link_name

Json = dict[str, Any]

NAVMESH: Json = {
    "agentRadius": RADIUS,
    "agentHeight": max(body.height for body in BODIES.values()),
    "agentMaxClimb": 0.05,
    "agentMaxSlope": 30.0,
    "cellSize": 0.025,
    "cellHeight": 0.05,
    "regionMinSize": 20.0,
    "regionMergeSize": 20.0,
    "edgeMaxLen": 12.0,
    "edgeMaxError": 1.3,
    "vertsPerPoly": 6.0,
    "detailSampleDist": 6.0,
    "detailSampleMaxError": 1.0,
    "filterLowHangingObstacles": True,
    "filterLedgeSpans": True,
    "filterWalkableLowHeightSpans": True,
}
"""Settings of the navigation mesh as `NavMeshSettings.read_from_json` wants them.

One mesh for both kinds of body, as in PARTNR; cells as fine as cost a fraction of a second.
Climbing is over rugs only, never onto furniture. Whether furniture counts at all is not in this
file: `include_static_objects` is set when used.
"""

DENSITY = 400.0


def habitat_quaternion(rotation: Quat) -> list[float]:
    """Convert a rotation: ours is x, y, z, w; Habitat's files have w, x, y, z."""
    x, y, z, w = rotation
    return [w, x, y, z]


def dataset_config() -> Json:
    """Return where everything is, relative to this file."""
    return {
        "stages": {"paths": {".json": ["stages/*.stage_config.json"]}},
        "objects": {
            "paths": {".json": ["objects/*.object_config.json", "furniture/*.object_config.json"]}
        },
        "articulated_objects": {"paths": {".json": ["urdf/*/*.ao_config.json"]}},
        "scene_instances": {"paths": {".json": ["scenes/*.scene_instance.json"]}},
        "semantic_scene_descriptor_instances": {
            "paths": {".json": ["semantics/scenes/*.semantic_config.json"]}
        },
    }


def stage_config(scene: Scene) -> Json:
    return {
        "render_asset": f"{scene.scene_id}.glb",
        "collision_asset": f"{scene.scene_id}.collision.glb",
        "up": [0.0, 1.0, 0.0],
        "front": [0.0, 0.0, -1.0],
        "origin": [0.0, 0.0, 0.0],
        "units_to_meters": 1.0,
        "margin": 0.0,
        "is_collidable": True,
        "requires_lighting": True,
    }


def class_ids(catalogue: Catalogue) -> dict[str, int]:
    """Return a semantic id per class; 0 is nothing."""
    names = sorted({template.class_name for template in catalogue.templates.values()})
    return {name: index for index, name in enumerate(names, start=1)}


def lexicon(catalogue: Catalogue) -> Json:
    return {
        "classes": [{"name": name, "id": number} for name, number in class_ids(catalogue).items()]
    }


def rigid_config(template: Template, semantic_id: int) -> Json:
    """Return the config of an object, or of furniture without parts.

    Its origin stays where ours is: the middle of its base, not the centre of mass that Habitat
    would compute.
    """
    hx, hy, hz = template.box.half_size
    return {
        "render_asset": f"{template.name}.glb",
        "collision_asset": f"{template.name}.collision.glb",
        "up": [0.0, 1.0, 0.0],
        "front": [0.0, 0.0, -1.0],
        "units_to_meters": 1.0,
        "COM": [0.0, 0.0, 0.0],
        "mass": round(max(0.05, 8 * hx * hy * hz * DENSITY), 3),
        "margin": 0.0,
        "join_collision_meshes": False,
        "use_bounding_box_for_collision": False,
        "is_collidable": True,
        "semantic_id": semantic_id,
        "user_defined": user_defined(template),
    }


def articulated_config(template: Template, semantic_id: int) -> Json:
    return {
        "urdf_filepath": f"{template.name}.urdf",
        "render_mode": "link_visuals",
        "base_type": "fixed",
        "inertia_source": "urdf",
        "link_order": "urdf_order",
        "semantic_id": semantic_id,
        "user_defined": user_defined(template),
    }


def user_defined(template: Template) -> Json:
    """Return habitat-lab's receptacles, and what PARTNR keeps in its metadata tables."""
    out: Json = {
        "class_name": template.class_name,
        "affordances": list(template.affords),
        "cleaned_under_faucet": template.cleaned_under_faucet,
    }
    if template.faucet is not None:
        out["faucet"] = list(template.faucet)
    for receptacle in template.receptacles:
        out[f"receptacle_aabb_{receptacle.name}"] = _receptacle(template, receptacle)
    return out


def _receptacle(template: Template, receptacle: Receptacle) -> Json:
    x, y, z = receptacle.center
    out: Json = {
        "name": receptacle.name,
        "rotation": [1.0, 0.0, 0.0, 0.0],
        "scale": [receptacle.half_x, 0.01, receptacle.half_z],
        "up": [0.0, 1.0, 0.0],
        "kind": receptacle.kind,
        "clearance": receptacle.clearance,
    }
    if receptacle.part is not None and receptacle.moves:
        part = template.parts[receptacle.part]
        if part.joint == "hinge":
            x, y, z = (c - o for c, o in zip((x, y, z), part.origin, strict=True))
        out["parent_link"] = link_name(receptacle.part)
    elif template.parts:
        out["parent_link"] = link_name(None)
    out["position"] = [round(v, 6) + 0.0 for v in (x, y, z)]
    return out


def instance_order(scene: Scene) -> list[int]:
    """Order furniture so that Habitat's numbering per template gives our handles.

    Habitat counts whatever contains a template's name: chairs come before armchairs.
    """

    def key(index: int) -> tuple[int, str, int]:
        handle = scene.furniture[index].handle
        name = template_name(handle)
        return len(name), name, int(handle.partition("_:")[2])

    return sorted(range(len(scene.furniture)), key=key)


def scene_instance(scene: Scene, catalogue: Catalogue) -> Json:
    """Return the house with its furniture, all parts closed."""
    rigid: list[Json] = []
    articulated: list[Json] = []
    for index in instance_order(scene):
        furniture = scene.furniture[index]
        template = catalogue.templates[furniture.template]
        placed = {
            "translation": list(furniture.pose.position),
            "rotation": habitat_quaternion(furniture.pose.rotation),
            "motion_type": "static",
        }
        if template.parts:
            name = articulated_handle(template.name)
            articulated.append({"template_name": name, **placed, "fixed_base": True})
        else:
            name = rigid_handle(template)
            rigid.append({"template_name": name, **placed, "translation_origin": "COM"})
    return {
        "stage_instance": {"template_name": f"stages/{scene.scene_id}.stage_config.json"},
        "object_instances": rigid,
        "articulated_object_instances": articulated,
        "default_lighting": "default",
        "semantic_scene_instance": f"semantics/scenes/{scene.scene_id}.semantic_config.json",
        "user_defined": {
            "scene_filter_file": f"scene_filter_files/{scene.scene_id}.rec_filter.json"
        },
    }


def rigid_handle(template: Template) -> str:
    """Return a name that no other template's contains: Habitat looks names up by substring."""
    folder = "objects" if template.kind == "object" else "furniture"
    return f"{folder}/{template.name}.object_config.json"


def articulated_handle(name: str) -> str:
    return f"{name}/{name}.ao_config.json"


def semantic_config(scene: Scene) -> Json:
    """Return the rooms as extruded polygons."""
    regions = []
    for room in scene.rooms:
        xs, zs = [x for x, _ in room.polygon], [z for _, z in room.polygon]
        regions.append(
            {
                "name": room.room_id,
                "label": room.class_name,
                "poly_loop": [[x, room.floor_y, z] for x, z in room.polygon],
                "floor_height": room.floor_y,
                "extrusion_height": room.height,
                "min_bounds": [min(xs), room.floor_y, min(zs)],
                "max_bounds": [max(xs), room.floor_y + room.height, max(zs)],
            }
        )
    return {
        "descriptor": "",
        "semantic_filename": "../semantic_lexicon.json",
        "region_annotations": regions,
    }


def receptacle_filter(scene: Scene, catalogue: Catalogue) -> Json:
    """Return habitat-lab's filter: the receptacles, and those of them that are inside."""
    active: list[str] = []
    inside: list[str] = []
    for furniture in scene.furniture:
        for receptacle in catalogue.templates[furniture.template].receptacles:
            name = receptacle_id(furniture.handle, receptacle.name)
            active.append(name)
            if receptacle.kind == "within":
                inside.append(name)
    return {
        "active": active,
        "within_set": inside,
        "manually_filtered": [],
        "access_filtered": [],
        "stability_filtered": [],
        "height_filtered": [],
    }


def body_config(kind: str) -> Json:
    return {
        "urdf_filepath": f"{kind}.urdf",
        "render_mode": "link_visuals",
        "base_type": "free",
        "inertia_source": "urdf",
    }


def link_states(
    states: Mapping[str, Mapping[str, float]], scene: Scene, catalogue: Catalogue
) -> dict[str, dict[str, float]]:
    """Replace our names of parts in ``ao_states`` by the names of Habitat's links."""
    templates = {f.handle: catalogue.templates[f.template] for f in scene.furniture}
    out: dict[str, dict[str, float]] = {}
    for handle, links in states.items():
        names = {part.name: link_name(part.index) for part in templates[handle].parts}
        out[handle] = {names.get(link, link): value for link, value in links.items()}
    return out

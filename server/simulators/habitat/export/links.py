"""Links of articulated furniture, as URDF: Habitat's link ``i`` is our part ``i``, 0 included.

The root link is the fixed body; every part is a child of it. A link's frame is its joint's origin,
so shapes are written relative to that.
"""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

from episodes.bodies import Body
from episodes.poses import Box, Vec3
from episodes.scene import Part, Template

ROOT = "body"
_JOINTS = {"hinge": "revolute", "slide": "prismatic"}


def link_name(part: int | None) -> str:
    """Return the link that carries a part; the root for None.

    PARTNR's ``ao_states`` use these names.
    """
    return ROOT if part is None else f"part_{part}"


def furniture_urdf(template: Template, meshes: dict[int | None, str]) -> str:
    """Return the URDF of a template with parts; ``meshes`` has each link's drawn file."""
    lines = [f"<robot name={quoteattr(template.name)}>"]
    lines += _link(template, None, (0.0, 0.0, 0.0), meshes.get(None))
    for part in template.parts:
        origin = part.origin if part.joint == "hinge" else (0.0, 0.0, 0.0)
        lines += _link(template, part.index, origin, meshes.get(part.index))
        lines += _joint(part, origin)
    return "\n".join([*lines, "</robot>", ""])


def _link(template: Template, part: int | None, origin: Vec3, mesh: str | None) -> list[str]:
    ox, oy, oz = origin
    lines = [f'  <link name="{link_name(part)}">', *_inertial()]
    if mesh is not None:
        lines += [
            "    <visual>",
            f'      <origin xyz="{_numbers((-ox, -oy, -oz))}" rpy="0 0 0"/>',
            f"      <geometry><mesh filename={quoteattr(mesh)}/></geometry>",
            "    </visual>",
        ]
    for solid in template.solids:
        if solid.part == part:
            lines += _collision(solid.box, origin)
    return [*lines, "  </link>"]


def _collision(box: Box, origin: Vec3) -> list[str]:
    (mx, my, mz), (hx, hy, hz) = box.center, box.half_size
    ox, oy, oz = origin
    return [
        "    <collision>",
        f'      <origin xyz="{_numbers((mx - ox, my - oy, mz - oz))}" rpy="0 0 0"/>',
        f'      <geometry><box size="{_numbers((2 * hx, 2 * hy, 2 * hz))}"/></geometry>',
        "    </collision>",
    ]


def _joint(part: Part, origin: Vec3) -> list[str]:
    low, high = min(0.0, part.open_value), max(0.0, part.open_value)
    return [
        f'  <joint name={quoteattr(part.name)} type="{_JOINTS[part.joint]}">',
        f'    <parent link="{ROOT}"/>',
        f'    <child link="{link_name(part.index)}"/>',
        f'    <origin xyz="{_numbers(origin)}" rpy="0 0 0"/>',
        f'    <axis xyz="{_numbers(part.axis)}"/>',
        f'    <limit lower="{low:.9g}" upper="{high:.9g}" effort="100" velocity="10"/>',
        "  </joint>",
    ]


def _inertial() -> list[str]:
    # Nothing is simulated dynamically: Bullet only wants a mass that is not zero.
    return [
        '    <inertial><origin xyz="0 0 0" rpy="0 0 0"/><mass value="1"/>'
        '<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>'
    ]


def body_urdf(body: Body) -> str:
    """Return a body as a plain upright cylinder-sized box: a stand-in where nobody is drawn."""
    r, h = body.radius, body.height
    size, middle = _numbers((2 * r, h, 2 * r)), _numbers((0.0, h / 2, 0.0))
    shape = f'<origin xyz="{middle}" rpy="0 0 0"/><geometry><box size="{size}"/></geometry>'
    return "\n".join(
        [
            f'<robot name="{body.kind}">',
            f'  <link name="{ROOT}">',
            *_inertial(),
            f"    <visual>{shape}</visual>",
            f"    <collision>{shape}</collision>",
            "  </link>",
            "</robot>",
            "",
        ]
    )


def _numbers(values: Vec3) -> str:
    return " ".join(f"{v + 0.0:.9g}" for v in values)

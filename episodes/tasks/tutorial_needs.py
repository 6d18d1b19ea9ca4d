"""Needs of a tutorial: what its steps take a house and a task to hold."""

from __future__ import annotations

from episodes.dataset import Task
from episodes.scene import Catalogue, Scene, Template
from episodes.tasks.start_places import fits


def tutorial_lack(task: Task, scene: Scene, catalogue: Catalogue) -> str:
    """Return what a task in its house lacks for the steps of a tutorial; empty: nothing.

    Somebody opens a door or a drawer, puts a thing inside, and washes, fills or switches something.
    Raises KeyError for a template that the catalogue does not have.
    """
    furniture = [catalogue.templates[item.template] for item in scene.furniture]
    things = [catalogue.of_handle(handle) for handle in task.name_to_receptacle]
    if not things:
        return "nothing to carry"
    if not any(_takes(holder, thing) for holder in furniture for thing in things):
        return "no door or drawer behind which one of its things fits"
    if not any("is_powered_on" in template.affords for template in (*furniture, *things)):
        return "nothing that can be switched on"
    return ""


def _takes(furniture: Template, thing: Template) -> bool:
    return any(
        receptacle.part is not None and fits(thing, receptacle)
        for receptacle in furniture.receptacles
    )

"""Device that a study needs, in the word by which the catalogue's messages tell people of it."""

from __future__ import annotations

from typing import Literal

from matchmaking.study import Study
from matchmaking.study.pages import Device

PHONE = (640, 320), (320, 500)
"""Windows, width by height in CSS pixels, that a small phone has: lying and upright."""

Need = Literal["any", "large", "computer", "touch", "tablet"]


def need_of(study: Study) -> Need:
    """Return what a study's device check lets pass; without one, any device does."""
    check = study.page_of(Device)
    return "any" if check is None else need_at(check)


def need_at(check: Device) -> Need:
    """Return what a device check lets pass."""
    if "touch" not in check.inputs:
        return "computer"
    fits_phone = any(check.least_width <= w and check.least_height <= h for w, h in PHONE)
    if set(check.inputs) == {"touch"}:
        return "touch" if fits_phone else "tablet"
    return "any" if fits_phone else "large"

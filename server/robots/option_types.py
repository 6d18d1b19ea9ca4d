"""Types of options with the range that they may have; msgspec refuses what is outside."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Seconds = Annotated[float, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0, le=1)]
"""A share of a whole, or a probability."""
Count = Annotated[int, Meta(ge=0)]
Pace = Annotated[float, Meta(gt=0, le=1)]
"""A share of a body's pace: whoever does not move at all does nothing."""

"""What can be varied of ``finetuned``."""

from __future__ import annotations

import msgspec

from server.robots.policies.finetuned import prompts
from server.robots.policies.shared.generation import Generation


class FinetunedSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``generation.model`` names the adapter."""

    generation: Generation = Generation(max_tokens=100)
    states: bool = True
    mark: str = prompts.MARK
    """Ends the prompt; whatever the model was trained with."""

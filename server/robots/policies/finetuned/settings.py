"""Settings of ``finetuned``."""

from __future__ import annotations

import msgspec

from server.robots.policies.finetuned import prompts
from server.robots.policies.shared.generation import Generation


class FinetunedSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of ``finetuned``; ``generation.model`` names the adapter."""

    generation: Generation = Generation(max_tokens=100)
    states: bool = True
    mark: str = prompts.MARK
    """End of the prompt; has to be what the model was trained with."""

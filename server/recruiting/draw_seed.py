"""Seed of a study's draws: known to the server alone, the same for as long as its key is."""

from __future__ import annotations

import hashlib
import hmac

from matchmaking.study_key import StudyKey


class DrawSeed:
    """Maker of the seeds of draws from the key of a server."""

    def __init__(self, secret_key: str) -> None:
        self._key = secret_key.encode()

    def __call__(self, key: StudyKey) -> str:
        """Return the seed of a version of a study in one mode."""
        text = f"draws/{key.name}/{key.version}/{key.mode}".encode()
        return hmac.new(self._key, text, hashlib.sha256).hexdigest()

"""Provenance of an episode that is about to be played."""

from __future__ import annotations

from episodes.rules import profile_named
from server.hosting.task_series import Choice
from server.simulators.household import HouseholdSimulator
from server.store.episodes import Provenance
from server.store.models import SessionRow

_SIMULATOR_VERSIONS = {HouseholdSimulator.name: HouseholdSimulator.version}


def provenance_of(row: SessionRow, choice: Choice, server_version: str) -> Provenance:
    """Return what the row of an episode says of its origin."""
    return Provenance(
        server_version,
        choice.task.text,
        choice.task.scene_id,
        _SIMULATOR_VERSIONS.get(row.simulator),
        profile_named(row.profile).digest,
        choice.task.scene_digest,
    )

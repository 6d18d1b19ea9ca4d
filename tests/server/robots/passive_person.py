"""Passive partner for robots whose model plans well."""

from __future__ import annotations

from server.robots.baselines.scripted_people import ScriptedPerson
from server.robots.registry.registry import configured
from tests.server.sessions.first_house_sessions import HUMAN


def passive_person() -> ScriptedPerson:
    """Return a person who leaves to the robot all that it can do (``scripted:passive``)."""
    return ScriptedPerson(HUMAN, configured("scripted:passive").setup.settings)

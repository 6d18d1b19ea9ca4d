"""Checks of a preflight in their order: what the later ones need comes first."""

from __future__ import annotations

from server.cli.preflight.address_check import check_address
from server.cli.preflight.checks import Check, Subject
from server.cli.preflight.machine_checks import (
    check_clock,
    check_database,
    check_disk_room,
    check_keys,
    check_notices,
    check_operators_here,
    check_server,
)
from server.cli.preflight.model_check import check_models
from server.cli.preflight.study_checks import (
    check_codes,
    check_consent,
    check_houses,
    check_simulators,
    check_study,
)
from server.cli.preflight.visitors_check import check_visitors

CHECKS = (
    Check("database", check_database, 60),
    Check("keys", check_keys, 30),
    Check("server", check_server, 15),
    Check("operators", check_operators_here, 15),
    Check("study", check_study, 60, needs_study=True),
    Check("houses", check_houses, 120, needs_study=True),
    Check("simulators", check_simulators, 180, needs_study=True),
    Check("models", check_models, 300, needs_study=True),
    Check("codes", check_codes, 10, needs_study=True),
    Check("consent", check_consent, 10, needs_study=True),
    Check("disk", check_disk_room, 30),
    Check("clock", check_clock, 15),
    Check("notices", check_notices, 60),
    Check("address", check_address, 45),
    Check("visitors", check_visitors, 300, needs_study=True),
)


def checks_for(subject: Subject) -> list[Check]:
    """Return the checks of a server, with those of a study where there is one."""
    return [check for check in CHECKS if subject.study is not None or not check.needs_study]

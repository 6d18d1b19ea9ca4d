"""`cohabit robots list`: the policies that there are."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from server.robots.policy_spec import DEFAULT
from server.robots.registry.registry import POLICIES


def list_policies() -> None:
    """List the policies that can play a seat, with their named configurations."""
    table = Table("policy", "asks a model", "configurations", "")
    for spec in sorted(POLICIES.values(), key=lambda spec: (not spec.offered, spec.name)):
        named = [preset for preset in spec.presets if preset != DEFAULT]
        remarks = "reads the goal" if spec.privileged else ""
        model = "yes" if spec.needs_model else "no"
        table.add_row(spec.name, model, "\n".join(named), remarks)
    Console().print(table)

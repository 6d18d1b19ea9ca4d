"""`cohabit robots list`: the policies that there are."""

from __future__ import annotations

from server.cli.terminal import PlainTable, output_console
from server.robots.policy_spec import DEFAULT
from server.robots.registry.registry import POLICIES
from server.robots.remote.spec import PREFIX


def list_policies() -> None:
    """List the policies that can play a seat, with their named configurations."""
    table = PlainTable("policy", "asks a model", "configurations", "")
    for spec in sorted(POLICIES.values(), key=lambda spec: (not spec.offered, spec.name)):
        named = [preset for preset in spec.presets if preset != DEFAULT]
        told = ("reads the goal" if spec.privileged else "", "held out" if spec.held_out else "")
        remarks = ", ".join(filter(None, told))
        model = "yes" if spec.needs_model else "no"
        table.add_row(spec.name, model, "\n".join(named), remarks)
    table.add_row(f"{PREFIX}NAME", "no", "", "a program elsewhere")
    table.add_row("FILE.py", "", "", "a policy of one's own")
    output_console().print(table)

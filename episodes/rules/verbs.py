"""The verbs of a session, a row each: what they change, and how they are spoken of."""

from __future__ import annotations

from typing import NamedTuple

from episodes.rules.rule_view import Verb


class VerbRow(NamedTuple):
    """Facts about a verb under every rule profile; its preconditions are the profile's."""

    verb: Verb
    skill: str
    """PARTNR's name of it."""
    did: str
    """Words for having done it: ``picked up {}``."""
    cannot: str = ""
    """Words for what a body that may not change states cannot do: ``wash things``."""
    changes: tuple[str, bool] | None = None
    """The state that it brings about."""
    affords: str = ""
    """The precondition by which a thing can have that state at all."""


_ROWS = (
    VerbRow("pick", "Pick", "picked up {}"),
    VerbRow("open", "Open", "opened {}"),
    VerbRow("close", "Close", "closed {}"),
    VerbRow("clean", "Clean", "cleaned {}", "wash things", ("is_clean", True), "can_be_clean"),
    VerbRow("fill", "Fill", "filled {}", "fill things", ("is_filled", True), "can_be_filled"),
    VerbRow("pour", "Pour", "poured {}", "pour", ("is_filled", True), "can_be_filled"),
    VerbRow("power_on", "PowerOn", "switched on {}", "switch things on",
            ("is_powered_on", True), "can_be_powered"),
    VerbRow("power_off", "PowerOff", "switched off {}", "switch things off",
            ("is_powered_on", False), "can_be_powered"),
    VerbRow("place", "Place", "put down {}"),
)  # fmt: skip
VERB_TABLE: dict[str, VerbRow] = {row.verb: row for row in _ROWS}
VERBS: tuple[Verb, ...] = tuple(row.verb for row in _ROWS)
"""The verbs in the order in which a panel offers them."""

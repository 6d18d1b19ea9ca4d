"""Settings of ``cohab``."""

from __future__ import annotations

from typing import Literal

import msgspec

from server.robots.option_types import Count


class CohabSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of ``cohab``: parts that can be switched off, to see what each is worth."""

    questions: Count = 3
    """Most questions to the partner, per episode: what is meant, where something is that a whole
    round has not brought to light, and what is missing where all looks done."""
    checks_after: Count = 4
    """Waits in a row with everything done as far as it knows, after which it asks what is missing;
    0: it never does."""
    shows: Count = 3
    """Most places to which it calls its partner, once all is done as far as it knows, because they
    were in another room when it put something there."""
    requests: Count = 6
    """Most requests to the partner to do something, per episode."""
    listens: bool = True
    """Whether new talk makes it read the instruction again."""
    surprises: Count = 2
    """Most readings because the partner took away what it had put where it belongs, or saw
    to something that no goal is about, because a thing is nowhere, or because all looks done, and
    the partner does not finish and does not say what is missing."""
    readings: Count = 8
    """Most readings by the model in all."""
    prior: Literal["usual", "uniform"] = "usual"
    """The places where it looks first for what no words place: where such things usually are, in
    rooms, on furniture and behind doors, by the table that generated houses are filled from (it
    knows homes as their maker does), or the nearest, of furniture that all counts alike."""
    opens: Literal["alone", "always"] = "alone"
    """The company in which it begins to open furniture in search of things: not while a person is
    at work, who may know where they are, or any."""
    sets_out: bool = True
    """Whether it reads while it walks: at the start to what the instruction names, after a surprise
    to what comes next; where its seat does not ask early, after that walk."""
    yields: Count = 2
    """Most seconds in a row for which it lets the partner go first in a doorway."""
    waits: Count = 40
    """Waits in a row without news after which it has finished."""
    waits_when_done: Count = 20
    """The same when everything is done as far as it knows: the partner may see that otherwise."""
    max_tokens: Count = 700
    """Most tokens of one reading."""
    model: str = ""
    """Model or LoRA adapter on the server; empty: the server's setting."""

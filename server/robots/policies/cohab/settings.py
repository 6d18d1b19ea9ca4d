"""What can be varied of ``cohab``."""

from __future__ import annotations

import msgspec


class CohabSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The parts that can be switched off, to see what each is worth."""

    questions: int = 2
    """So often it may ask the partner what is meant."""
    requests: int = 6
    """So often it may ask the partner to do something."""
    listens: bool = True
    """New talk makes it read the instruction again."""
    surprises: int = 1
    """So often it reads again because the partner took away what it had put where it belongs."""
    readings: int = 8
    """So often it may ask the model at all."""
    sets_out: bool = True
    """It reads while it walks: at the start to what the instruction names, after a surprise to what
    comes next; where its seat does not ask early, after that walk."""
    yields: int = 2
    """So many seconds in a row it lets the partner go first in a doorway."""
    waits: int = 40
    """After so many waits in a row without news it has finished."""
    waits_when_done: int = 20
    """The same when all is done as far as it knows: the partner may see that otherwise."""
    max_tokens: int = 700
    """Of one reading."""
    model: str = ""
    """A model or LoRA adapter of the server; empty: the server's setting."""

"""How a policy sits in its seat, whatever policy it is."""

from __future__ import annotations

import msgspec

from server.robots.knowing import Observability, Watching


class Seating(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The defaults are the least: nothing is asked early, again or instead."""

    observability: Observability = "partial"
    shares_views: bool = True
    partner: Watching = "all"
    max_decisions: int | None = None
    """After so many it has finished (PARTNR's ``replanning_threshold``)."""
    think_s: float = 0.0
    """So long a body pauses before each decision is asked for."""
    revalidate: bool = False
    """An answer that the world has overtaken is not carried out: the policy is told why and asked
    again, once. That goes for a call about what somebody else has moved meanwhile, and for the
    wish to stop when something has been said."""
    prefetch: bool = False
    """Ask for the next decision while a skill runs, where the policy can; an answer that assumed
    too much is dropped."""
    gives_up_s: float | None = None
    """After so long without one decision that did not fail, its seat counts as left."""
    tools: tuple[str, ...] = ()
    """The skills it may use; empty: all of its body's."""

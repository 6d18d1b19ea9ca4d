"""The player of a scripted partner, as far as its talk can ask it for something."""

from __future__ import annotations

from typing import Protocol

from server.robots.baselines.partner.order import Order


class Hands(Protocol):
    """The body of one seat: what it does, and how it is told to do something else."""

    seat: str
    is_stopped: bool

    def told_doing(self) -> str:
        """Return what it does, as a sentence."""
        ...

    def busy_with(self) -> str:
        """Return the thing that it sees to now, or has seen to last; empty: none yet."""
        ...

    def stop(self, asker: str) -> None: ...

    def go_on(self) -> None: ...

    def obey(self, order: Order) -> None: ...

    def let_go_of(self, thing: str) -> None:
        """Leave a thing alone that it is busy with."""
        ...

"""People that a worker has seen: how they come, and how what they do comes in."""

from __future__ import annotations

from dataclasses import dataclass, field

from server.worker.arrival_times import ArrivalTimes
from server.worker.input_delays import InputDelays


@dataclass(frozen=True)
class SeenPeople:
    """Times of the people in all sessions of a worker, which hidden policies take over."""

    arrivals: ArrivalTimes = field(default_factory=ArrivalTimes)
    inputs: InputDelays = field(default_factory=InputDelays)

"""Settings of the eight people; numbers that a trial may change by name."""

from __future__ import annotations

import msgspec

from server.robots.option_types import Count, Seconds, Share


class PersonSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of every person."""

    seed: int = 0


class SlowSettings(PersonSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pause_s: Seconds = 6.0
    """Seconds of looking before each errand, half to one and a half times that."""
    answers_after_s: Seconds = 6.0


class ErringSettings(PersonSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    errs: Share = 0.4
    """The probability with which a thing is put in a wrong place first."""
    notices_s: Seconds = 8.0
    """Seconds until it notices."""


class PassiveSettings(PersonSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    bored_s: Seconds = 25.0
    """Seconds without any act or word that it knows of until it does one thing itself."""


class ContrarySettings(PersonSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    undoes: Count = 2
    """Things that others have put down and that it takes away again, each once."""


class MisunderstandingSettings(
    PersonSettings, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    mistakes: Count = 2
    """Errands that it has got wrong from the start, at most."""
    rereads: Share = 0.9
    """The probability with which, at the end, it sees of each that the outcome is wrong."""
    looks_s: Seconds = 8.0
    """Seconds for which it looks at the outcome before it takes a mistake back."""


class LearningSettings(PersonSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    experience: Count = 0
    """Episodes that it has behind it."""
    pause_s: Seconds = 10.0
    """Seconds that the first errand of a beginner is thought over."""
    fumbles: Share = 0.5
    """The probability with which a beginner first goes to a wrong place."""
    keeps: Share = 0.8
    """The share of pause and fumbling that is left after each errand done or watched."""


class WanderingSettings(PersonSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    wanders: Share = 0.4
    """The probability with which it is distracted before a call."""
    strays: Count = 8
    """Times that it is distracted in an episode, at most."""
    gazes_s: Seconds = 6.0
    """Seconds that it stands there."""


class TalkingSettings(PersonSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    waits_s: Seconds = 8.0
    """Seconds that it waits for an answer."""
    leaves_s: Seconds = 60.0
    """Seconds that it leaves to another what it has asked of them."""

"""Words of how long data are kept, from the settings: for pages that people read."""

from __future__ import annotations

from typing import NamedTuple

from server.settings import Settings


class KeptWords(NamedTuple):
    """Times for which data are kept, as words that follow *for*; empty: without an end."""

    open_play: str
    drafts: str
    reports: str
    identities: str
    answers: str
    recordings: str


def kept_words(settings: Settings) -> KeptWords:
    """Return how long the settings have data kept."""
    return KeptWords(
        open_play=words_of(settings.keep_open_play_days),
        drafts=words_of(settings.keep_drafts_days),
        reports=words_of(settings.keep_problem_reports_days),
        identities=words_of(settings.keep_identities_days),
        answers=words_of(settings.keep_study_answers_days),
        recordings=words_of(settings.keep_study_recordings_days),
    )


def words_of(days: float) -> str:
    """Return a number of days in words; empty for 0, which stands for no end."""
    if not days:
        return ""
    if days < 2 and days != 1:
        hours = max(1, round(days * 24))
        return "an hour" if hours == 1 else f"{hours} hours"
    return "a day" if days == 1 else f"{days:g} days"

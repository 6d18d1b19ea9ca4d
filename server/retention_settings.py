"""Settings of how long data are kept, each for a kind of data."""

from __future__ import annotations

from pydantic import Field
from pydantic_settings import BaseSettings


class RetentionSettings(BaseSettings):
    """Days for which data are kept; 0: until somebody removes them."""

    keep_open_play_days: float = Field(default=30.0, ge=0)
    """Days for which sessions of open play are kept after their end, with their recordings, chat
    and reports, and people of open play after they were here last; 0: until somebody removes
    them."""
    keep_drafts_days: float = Field(default=7.0, ge=0)
    """Days for which fields that were filled in on a page of a study and not sent are kept; 0: as
    long as the answers."""
    keep_problem_reports_days: float = Field(default=180.0, ge=0)
    """Days for which reports of *I have a problem* are kept; 0: until somebody removes them."""
    keep_identities_days: float = Field(default=90.0, ge=0)
    """Days after the end of a study for which it is kept who people are at its recruiter; 0: until
    somebody removes it."""
    keep_study_answers_days: float = Field(default=0.0, ge=0)
    """Days after the end of a study for which its answers and signs are kept; 0: until somebody
    removes them."""
    keep_study_recordings_days: float = Field(default=0.0, ge=0)
    """Days after the end of a study for which its recordings are kept; 0: until somebody removes
    them."""
    keep_sign_ins_days: float = Field(default=30.0, ge=0)
    """Days for which sign-ins of operators that have ended are kept; 0: until the next sign-in."""

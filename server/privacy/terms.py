"""Terms for which data are kept, in words, with the settings that decide."""

from __future__ import annotations

from server.retention_settings import RetentionSettings


def _days(setting: str) -> str:
    """Return a setting with its default, as `docs/privacy.md` names it."""
    default = RetentionSettings.model_fields[setting].default
    name = f"`COHABIT_{setting.upper()}`"
    return f"{default:g} days ({name})" if default else f"without an end ({name} sets one)"


FOR_GOOD = "as long as the database"
OPEN_PLAY = (
    f"open play: {_days('keep_open_play_days')} after the end; of a study: as long as its data"
)
RECORDINGS = (
    f"open play: {_days('keep_open_play_days')} after the end; of a study: "
    f"{_days('keep_study_recordings_days')}"
)
KEYS = "until they are forgotten, or nothing of theirs is kept any more"
STUDY = "as long as the study's data"
ANSWERS = f"{_days('keep_study_answers_days')}; at once where somebody withdraws and asks for it"
DRAFTS = f"until the page is sent, {_days('keep_drafts_days')} at most"
PROBLEM_REPORTS = _days("keep_problem_reports_days")
IDENTITIES = f"{_days('keep_identities_days')} after the study was closed; the hash stays"
SIGN_INS = f"{_days('keep_sign_ins_days')} after they ended"
ACCOUNTS = "until the account is removed"
SERVER_LOG = "as long as the machine keeps what the server prints; the server writes no such file"
REQUEST = "while the request is answered"
TAB = "until the tab is closed"
BROWSER = "until the browser's data are cleared"

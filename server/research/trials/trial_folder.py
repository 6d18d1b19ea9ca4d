"""The folder of a trial: it holds one trial only, and one that has begun goes on in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import UNSET

from episodes.bounded_files import UnreadableError, read_json, refuse_link
from episodes.rules import as_recorded
from server.research.trials.digests import refuse_changed
from server.research.trials.plan import Trial, TrialError

SPEC = "trial.json"


def begun_in(folder: Path, model: str) -> Trial | None:
    """Return the trial that a folder holds. Raises TrialError if another model began it."""
    kept = _kept(folder)
    if kept is not None and kept.model != model:
        raise TrialError(
            f"{folder} was begun with COHABIT_MODEL_NAME={kept.model or '(none)'}, now it is "
            f"{model or '(none)'}: its table would mix two models"
        )
    return kept


def refuse_another(folder: Path, wanted: Trial) -> None:
    """Raise TrialError if a folder holds another trial than the one wanted."""
    kept = _kept(folder)
    if kept is None:
        return
    # Contents that have changed are told of as such.
    kept = msgspec.structs.replace(kept, digests=wanted.digests)
    if kept != wanted and _with_exact_rules(kept) != wanted:
        raise TrialError(
            f"{folder} holds another trial: name another folder, or give no options to go on "
            "with that one"
        )


def over_the_same(folder: Path, wanted: Trial, now: Mapping[str, str]) -> Trial:
    """Return a trial with the digests of what it rests on.

    One that has begun keeps those that it began with. Raises TrialError if something has changed
    since; ``now`` is empty where nothing is left to play.
    """
    kept = _kept(folder)
    if kept is None:
        return msgspec.structs.replace(wanted, digests=dict(now))
    if kept.digests is not UNSET and now:
        refuse_changed(kept.digests, now, folder)
    return msgspec.structs.replace(wanted, digests=kept.digests)


def _with_exact_rules(kept: Trial) -> Trial:
    return msgspec.structs.replace(kept, profile=as_recorded(kept.profile))


def keep(folder: Path, wanted: Trial) -> None:
    """Write down which trial a folder holds, making the folder if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    refuse_link(folder / SPEC).write_bytes(msgspec.json.format(msgspec.json.encode(wanted)))


def _kept(folder: Path) -> Trial | None:
    try:
        return read_json(folder / SPEC, Trial)
    except FileNotFoundError:
        return None
    except UnreadableError as error:
        raise TrialError(str(error)) from error

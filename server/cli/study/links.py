"""`cohabit study links`: signed links of a laboratory's labels."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

import typer

from server.cli.databases import in_database
from server.cli.options import StudyName
from server.cli.settings import read_settings
from server.cli.stop import StopError
from server.cli.study.opened_studies import found_study
from server.cli.terminal import echo


def links(
    name: StudyName,
    labels: Annotated[list[str], typer.Argument(help="Labels, one for each participant.")],
) -> None:
    """Print a signed link for each label of a laboratory.

    Anybody with a link takes part as its label.
    """
    from server.recruiting.lab_label import LabLabel
    from server.recruiting.recruiter import LinkError
    from server.recruiting.registry import recruiter_of
    from server.web.secret_key import secret_key

    settings = read_settings()
    study = in_database(settings, lambda db: found_study(db, name))
    recruiter = recruiter_of(study, secret_key(settings.data_dir))
    if not isinstance(recruiter, LabLabel):
        raise StopError(f"expected a study with labels, and {name} recruits by {recruiter.kind}")
    for label in labels:
        given = {"participant_label": label, "hash": recruiter.sign(study, label)}
        try:
            recruiter.external_id(study, given)
        except LinkError as error:
            raise StopError(
                f"{label!r} can be no label ({error.fault}): expected letters, digits, - and _"
            ) from error
        echo(f"{settings.address}/s/{name}?{urlencode(given)}")

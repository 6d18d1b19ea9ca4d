"""`cohabit study preregister`: the plan as a text to file before there are data."""

from __future__ import annotations

from episodes.dataset import DatasetError
from server.cli.options import DATA_DIR, DataDir
from server.cli.settings import read_settings
from server.cli.study.models import read_models
from server.cli.study.study_files import File, missing, read_file
from server.cli.terminal import echo, failed
from server.research.studies.manifest import freeze
from server.research.studies.model_readings import digests_of
from server.research.studies.task_choice import tasks_of
from server.wall_clock import utc_now


def preregister(file: File, data_dir: DataDir = DATA_DIR) -> None:
    """Print design and analysis of a study as a text to file before there are data (Markdown)."""
    try:
        from server.research.power.adequacy import adequacies
        from server.research.studies.preregistration import preregistration
    except ModuleNotFoundError as error:
        raise missing(error) from error
    study = read_file(file).study
    if study.analysis is None:
        raise failed(f"{file} has no `analysis`: declare hypotheses, sample and exclusions")
    try:
        settings = read_settings()
        # Without a model server the plan says nothing of models, which are read at the opening.
        models = digests_of(read_models(study, settings) if settings.model_url else ())
        manifest = freeze(study, data_dir, utc_now().isoformat(timespec="seconds"), models)
        tasks = tasks_of(study, data_dir)
        sizes = adequacies(study, len(tasks))
    except (DatasetError, ValueError) as error:
        raise failed(error) from error
    echo(preregistration(study, study.analysis, sizes, manifest.digest, tasks), nl=False)

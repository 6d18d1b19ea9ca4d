"""Export of a generated house as a Habitat scene data set, with its tasks in PARTNR's format."""

from server.simulators.habitat.export.files import (
    ExportError,
    Source,
    dataset_files,
    export,
    export_tasks,
)

__all__ = ["ExportError", "Source", "dataset_files", "export", "export_tasks"]

"""PARTNR's data set format: reading, checking and writing it."""

from episodes.dataset.errors import DatasetError
from episodes.dataset.files import (
    read_dataset,
    task_from_json,
    task_to_json,
    write_dataset,
)
from episodes.dataset.model import Constraint, Dependency, Proposition, Task
from episodes.dataset.scene_check import check_against_scene, check_in_scene
from episodes.dataset.validation import validate_evaluation

__all__ = [
    "Constraint",
    "DatasetError",
    "Dependency",
    "Proposition",
    "Task",
    "check_against_scene",
    "check_in_scene",
    "read_dataset",
    "task_from_json",
    "task_to_json",
    "validate_evaluation",
    "write_dataset",
]

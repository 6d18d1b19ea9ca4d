"""PARTNR's data set format: read, checked, written."""

from episodes.dataset.errors import DatasetError
from episodes.dataset.files import (
    episode_from_json,
    episode_to_json,
    read_dataset,
    write_dataset,
)
from episodes.dataset.model import Constraint, Dependency, Episode, Proposition
from episodes.dataset.scene_check import check_against_scene, check_in_scene
from episodes.dataset.validation import validate_evaluation

__all__ = [
    "Constraint",
    "DatasetError",
    "Dependency",
    "Episode",
    "Proposition",
    "check_against_scene",
    "check_in_scene",
    "episode_from_json",
    "episode_to_json",
    "read_dataset",
    "validate_evaluation",
    "write_dataset",
]

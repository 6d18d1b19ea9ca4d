"""Study files: a study written as YAML, read with the line of everything that is wrong."""

from matchmaking.study_file.problems import FileProblem, StudyFileError
from matchmaking.study_file.reading import StudyFile, read_study

__all__ = ["FileProblem", "StudyFile", "StudyFileError", "read_study"]

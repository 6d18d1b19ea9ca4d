"""Studies as values: what an experiment declares, from consent to pay. Open play is one of them."""

from matchmaking.study.problems import Problem, StudyError
from matchmaking.study.study import Study

__all__ = ["Problem", "Study", "StudyError"]

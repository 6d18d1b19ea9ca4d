"""Scoring recorded sessions: verdicts, explanations, errors and metrics, from their logs alone."""

from server.scoring.calls import model_calls_of
from server.scoring.differences import Difference, differences
from server.scoring.houses import Houses, known_surroundings
from server.scoring.reading import Recording, RecordingError, find_recordings, read_recording
from server.scoring.rescoring import Scored, score_recording
from server.scoring.traces import trace_of

__all__ = [
    "Difference",
    "Houses",
    "Recording",
    "RecordingError",
    "Scored",
    "differences",
    "find_recordings",
    "known_surroundings",
    "model_calls_of",
    "read_recording",
    "score_recording",
    "trace_of",
]

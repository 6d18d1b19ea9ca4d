"""Metrics of PARTNR's human study: section 10 of the planner specification.

A frame is a mapping as the study recorded it: empty when nothing happened, otherwise with ``users``
and ``agent_states`` (each with ``events``) and ``task_percent_complete``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Literal

import msgspec

Frame = Mapping[str, Any]
Exploration = Literal["last_event", "first_event"]


class StudyMetrics(msgspec.Struct, frozen=True):
    """Metrics of one attempt; steps are frames.

    ``ratio_agent_0`` is the robot's share of the sub-tasks and ``ratio_agent_1`` the human's;
    the ratios are None unless the attempt ends at 99 % or more and something was counted.
    """

    ratio_agent_0: float | None
    ratio_agent_1: float | None
    ratio_extraneous_actions: float | None
    explore_steps: int
    remaining_num: int
    empty_runs: tuple[int, ...]
    tasks_agent0_agent1_all: tuple[int, int, int]


def study_metrics(frames: Sequence[Frame], exploration: Exploration = "last_event") -> StudyMetrics:
    """Return the metrics of an attempt.

    ``exploration`` chooses between the released code, which takes the last frame with a user's
    event, and the paper, which means the first.
    """
    runs = tuple(len(list(run)) for empty, run in groupby(frames, key=lambda f: not f) if empty)
    leading, trailing = (runs[0], runs[-1]) if runs else (0, 0)
    acted = [index for index, frame in enumerate(frames) if _any_user_event(frame)]
    explored = (acted[0] if exploration == "first_event" else acted[-1]) if acted else 0
    robot, human, total = count_sub_tasks(frames)
    done = bool(frames) and frames[-1].get("task_percent_complete", 0.0) >= 0.99
    shared = robot + human
    return StudyMetrics(
        ratio_agent_0=robot / shared if done and shared else None,
        ratio_agent_1=human / shared if done and shared else None,
        ratio_extraneous_actions=(total - shared) / total if done and shared else None,
        explore_steps=explored - leading,
        remaining_num=len(frames) - leading - trailing,
        empty_runs=runs,
        tasks_agent0_agent1_all=(robot, human, total),
    )


def _any_user_event(frame: Frame) -> bool:
    return any(user.get("events") for user in frame.get("users", ()))


def _events(frame: Frame) -> tuple[Sequence[Any], Sequence[Any]]:
    """Return the events of the human (the last user) and of the other one (a user or the robot)."""
    users = frame.get("users") or [{}]
    other = users[0] if len(users) == 2 else (frame.get("agent_states") or [{}])[0]
    return users[-1].get("events") or (), other.get("events") or ()


def count_sub_tasks(frames: Sequence[Frame]) -> tuple[int, int, int]:
    """Count the robot's sub-tasks, the human's, and all actions that were counted.

    A frame in which percent complete is higher than ever is a sub-task of the human if they
    acted in it, else of the robot if it did; otherwise an action counts if it begins with a
    placement.
    """
    robot = human = total = 0
    best = 0.0
    for frame in frames:
        if not frame:
            continue
        ours, theirs = _events(frame)
        percent = frame.get("task_percent_complete", 0.0)
        if ours and percent > best:
            human += 1
            total += 1
            best = percent
        elif theirs and percent > best:
            robot += 1
            total += 1
            best = percent
        elif ours:
            total += ours[0].get("type") == "place"
        elif theirs:
            total += theirs[0].get("type") == "place"
    return robot, human, total

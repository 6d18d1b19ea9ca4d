"""Registry of the measures that each export has: of episodes, and of people over theirs."""

from __future__ import annotations

from server.research.measures import (
    area_under_percent,
    blocked,
    concurrent_activity,
    first_try_success,
    frame_rate,
    functional_delay,
    idle,
    input_to_visible,
    page_use,
    partner_in_view,
    picture,
    rooms_searched_twice,
    round_trips,
    selections,
    shared_room,
    target_conflicts,
    tick_lateness,
    time_to_finish,
    time_to_success,
    turning,
)
from server.research.measures.error_classes import ERROR_MEASURES
from server.research.measures.learning import PERCENT, TIME
from server.research.measures.measure import Measure
from server.research.measures.model_calls import (
    CALLS,
    INFORMATION_AGE,
    MODEL_TOKENS,
    STALE_ANSWERS,
    THINK_TIME,
)
from server.research.measures.others_work import REDONE, TAKEN, UNDONE
from server.research.measures.person_measure import PersonMeasure
from server.research.measures.requests import COMPLIANCE, REQUESTS
from server.research.measures.talk import LINES, WORDS
from server.research.measures.team import TEAM_MEASURES

MEASURES: tuple[Measure, ...] = (
    first_try_success.MEASURE,
    time_to_success.MEASURE,
    time_to_finish.MEASURE,
    area_under_percent.MEASURE,
    concurrent_activity.MEASURE,
    idle.MEASURE,
    functional_delay.MEASURE,
    target_conflicts.MEASURE,
    blocked.MEASURE,
    rooms_searched_twice.MEASURE,
    UNDONE,
    REDONE,
    TAKEN,
    LINES,
    WORDS,
    REQUESTS,
    COMPLIANCE,
    turning.MEASURE,
    selections.MEASURE,
    shared_room.MEASURE,
    partner_in_view.MEASURE,
    page_use.HOVERS,
    page_use.MAP,
    page_use.HELP,
    frame_rate.LOW,
    frame_rate.MEDIAN,
    picture.QUALITY,
    picture.WIDTH,
    picture.HEIGHT,
    picture.TOUCH,
    round_trips.PING,
    round_trips.JITTER,
    input_to_visible.MEASURE,
    tick_lateness.MEAN,
    tick_lateness.MOST,
    CALLS,
    THINK_TIME,
    INFORMATION_AGE,
    STALE_ANSWERS,
    MODEL_TOKENS,
    *ERROR_MEASURES,
    *TEAM_MEASURES,
)

PERSON_MEASURES: tuple[PersonMeasure, ...] = (TIME, PERCENT)

"""Classes of what a recording holds, record by record: those of the log and all within them.

What a record holds of the household itself (`episodes`) is classed where the record has it.
"""

from __future__ import annotations

from server.privacy import terms
from server.privacy.data_classes import Holding, Seen, holding

_RUN = "to score and play it again exactly"
_DONE = "what somebody did, tick by tick"
_ROBOT = "what a robot did, and why"


def _record(place: str, why: str, seen_by: str = Seen.RESEARCHERS, **classes: str) -> Holding:
    return holding(place, why, terms.RECORDINGS, seen_by, **classes)


RECORDS: tuple[Holding, ...] = (
    _record(
        "Header",
        _RUN,
        none="format tick_rate tick spec episode_spec task scene_digest catalogue_digest simulator "
        "simulator_version profile profile_version profile_digest evaluator_version code_version "
        "classes questions surroundings digests",
        technical="wall",
    ),
    _record(
        "SessionSpec",
        _RUN,
        none="seats seed simulator profile semantics end_on_success reconnect_window_s when_gone "
        "stand_in tells_doing pause_while_away idle_s away_limit_s finish_wait_s ending tells_aims "
        "naming clock_wait_s told_programs purpose is_substituted chat",
        pseudonymous="session_id permits",
    ),
    _record("SeatSpec", _RUN, none="seat policy stands_for_person", technical="occupied"),
    _record("Ending", _RUN, none="on_success robot_wait_s"),
    _record("ChatRules", _RUN, none="is_on hidden_words"),
    _record(
        "EpisodeSpec",
        _RUN,
        none="dataset task_id try_index time_limit_s seed without delay_ms",
        pseudonymous="episode_id",
    ),
    _record("Question", _RUN, none="method args threshold"),
    _record("FactChanged", _RUN, none="question value problem"),
    _record(
        "TickLine",
        _DONE,
        technical="tick wall",
        pseudonymous="changes events facts propositions by",
        free_text="intents",
    ),
    _record("Heard", _DONE, none="refusal", pseudonymous="seat", free_text="intent"),
    _record("Drive", _DONE, pseudonymous="forward strafe"),
    _record("Look", _DONE, pseudonymous="yaw pitch"),
    _record(
        "Act", _DONE, technical="intent_id by_skill client_ms", pseudonymous="verb target part"
    ),
    _record(
        "Place", _DONE, technical="intent_id by_skill client_ms", pseudonymous="point yaw target"
    ),
    _record("Select", _DONE, pseudonymous="target part"),
    _record("Finish", _DONE, pseudonymous="finished"),
    _record("Say", "what somebody wrote, word for word", Seen.RESEARCHERS, free_text="text"),
    _record(
        "Said",
        "what others were shown of it, with stars for hidden words; robots' lines, too",
        Seen.GROUP,
        pseudonymous="seat",
        free_text="text",
    ),
    _record(
        "Did",
        _DONE,
        Seen.GROUP,
        technical="intent_id",
        pseudonymous="seat verb target part where",
    ),
    _record("PhaseChanged", _RUN, Seen.GROUP, technical="phase reason"),
    _record(
        "PresenceChanged",
        "who was connected, away or gone",
        Seen.GROUP,
        technical="seconds_left",
        pseudonymous="seat presence",
    ),
    _record("FinishChanged", _DONE, Seen.GROUP, pseudonymous="seat finished"),
    _record("OccupantChanged", _ROBOT, none="policy stands_in", pseudonymous="seat"),
    _record("DoingChanged", _ROBOT, Seen.GROUP, none="text", pseudonymous="seat"),
    _record("AimChanged", _ROBOT, Seen.GROUP, none="aim", pseudonymous="seat"),
    _record("Aim", _ROBOT, Seen.GROUP, none="verb text target place why"),
    _record("LimitChanged", _RUN, Seen.GROUP, technical="ticks full"),
    _record("Blocked", "who stood in whose way", Seen.GROUP, pseudonymous="seat by stage"),
    _record("Begun", "who had begun, for the task's clock", pseudonymous="seat"),
    _record("ClockStarted", _RUN, Seen.GROUP, technical="rule"),
    _record(
        "Keyframe",
        "the whole state, to begin reading at",
        technical="tick phase end_reason started_tick ended_tick problem limits paused_tick clock",
        pseudonymous="seats changes facts evaluator",
    ),
    _record(
        "Seated",
        "state of a seat",
        none="policy stands_in doing aim stand_in_tick stands_for_person",
        technical="occupied seconds_left",
        pseudonymous="presence finished drive look selection finished_tick left_tick push begun",
    ),
    _record("Push", "who stood in whose way", pseudonymous="by since until passes"),
    _record("TaskClock", _RUN, technical="tick rule first_tick"),
    _record("End", "the end of an episode", technical="tick wall", pseudonymous="result"),
    _record(
        "EpisodeResult",
        "the verdict",
        none="task_id task_text",
        technical="reason ticks lost_ticks clock clock_ticks is_substituted",
        pseudonymous="session_id episode_id verdict state_digest gone",
    ),
    _record(
        "Resumed",
        "what is missing after a crash",
        technical="tick wall lost_bytes lost_ticks lost_events",
    ),
    _record(
        "ModelCalled",
        "what a model was asked and answered",
        Seen.MODEL,
        technical="tick wall",
        free_text="call",
    ),
    _record(
        "CallRecord",
        "what a model was asked and answered; a prompt has what people wrote to the robot",
        Seen.MODEL,
        none="purpose model prompt_sha256 parameters seed grammar grammar_sha256 seat prompt_base",
        technical="prompt_tokens completion_tokens cached_tokens first_token_s queue_s latency_s "
        "retries in_flight error asked_tick applied_tick observed_tick prompt_shared overtaken "
        "prefetched stale finish_reason",
        free_text="prompt completion parsed",
    ),
    _record("SkillEnded", _ROBOT, none="skill", technical="tick wall"),
    _record("SkillRecord", _ROBOT, none="seat call response began ended"),
    _record(
        "PageMeasured",
        "how well a page ran, and what was looked at",
        technical="tick wall",
        pseudonymous="seat stats",
    ),
    _record(
        "PageStats",
        "how well a page ran, and what was looked at",
        technical="span_ms fps rtts_ms shown_ms quality width height touch",
        pseudonymous="partner_ms map_ms help_ms hovers",
    ),
    _record("Paced", "how late the ticks were", technical="tick wall mean_late_ms most_late_ms"),
    _record("Checksum", "to find what is torn", technical="tick wall crc"),
)

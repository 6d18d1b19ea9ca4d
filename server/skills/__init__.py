"""Skills: what a planner can ask of a body, as PARTNR names and answers it."""

from server.skills.body import Body
from server.skills.call import Call, CallError, Unparsed, WrittenCall, parse, read
from server.skills.feedback import SUCCESS, TOO_LONG, failure, not_in_graph, refused
from server.skills.graph_updates import learn
from server.skills.registry import SKILLS, Skill, skills_of, state_phrase
from server.skills.skill_run import SkillRun

__all__ = [
    "SKILLS",
    "SUCCESS",
    "TOO_LONG",
    "Body",
    "Call",
    "CallError",
    "Skill",
    "SkillRun",
    "Unparsed",
    "WrittenCall",
    "failure",
    "learn",
    "not_in_graph",
    "parse",
    "read",
    "refused",
    "skills_of",
    "state_phrase",
]

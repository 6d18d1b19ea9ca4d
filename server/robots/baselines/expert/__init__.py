"""The heuristic expert: it reads the goal, so it is privileged, and named so wherever it plays.

After PARTNR's scripted planner (its section 5 in the reference), without its known faults: it
tries again after a failure, leaves alone what the partner has done, claims work by what is
nearest instead of by chance, and moves a thing several times where the task wants that.
"""

from server.robots.baselines.expert.agenda import Agenda
from server.robots.baselines.expert.goals import Goal, plan
from server.robots.baselines.expert.order import UnsolvableError
from server.robots.baselines.expert.player import Expert, experts
from server.robots.baselines.expert.steps import solve

__all__ = ["Agenda", "Expert", "Goal", "UnsolvableError", "experts", "plan", "solve"]

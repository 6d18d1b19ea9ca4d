"""Drivers of seats that no person drives: the scripted player and the heuristic expert.

Both look at the whole world and at the goal, so they are tools for tests, generated tasks and
demonstrations; a policy that plays fair sees only what its seat has seen.
"""

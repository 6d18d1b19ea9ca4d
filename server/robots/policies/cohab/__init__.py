"""``cohab``: the model says once what is meant; a planner of ours does the rest."""

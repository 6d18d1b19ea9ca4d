"""The ``cohab`` policy: a model reads the instruction once, a planner of ours does the rest."""

"""Probes of the Embodied Agent Interface, of a policy's model, on our tasks.

There are four: what a goal is taken to mean, subgoals, action sequences, and what actions need and
do.
"""

"""Measures of houses and tasks, alike on every simulator.

Imports little: it also runs under the interpreter that has habitat-sim.
"""

"""Power of a comparison of two conditions, in closed form and by simulation.

Needs statsmodels (the extra ``analysis``).
"""

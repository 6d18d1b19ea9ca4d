"""Skills after which a policy of PARTNR's line decides anew, instead of ahead."""

DISCOVERY_SKILLS = ("Explore", "Open", "Wait")
"""Skills whose findings decide what is done next."""

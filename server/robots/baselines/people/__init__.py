"""People that nobody tuned on: scripted policies that know the goal and see what a seat sees."""

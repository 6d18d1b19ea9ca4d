"""Data about people: what is kept, in which class and for how long, and what they get of it."""

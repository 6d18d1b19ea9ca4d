"""Patience of tests: how long they wait for what must come."""

PATIENCE_S = 90.0
"""Seconds that a test waits for something that must happen. It is long, because only a test that
fails waits it out, and a machine may be busy with six other things."""
LOADING_S = 300.0
"""Seconds for a browser to load and draw a house: with software GL, shaders compile for long."""

"""Views of a session: what its seats and watchers are shown."""

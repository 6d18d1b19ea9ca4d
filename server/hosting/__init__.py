"""Session hosting in the web process: workers, connections, results and recordings of sessions."""

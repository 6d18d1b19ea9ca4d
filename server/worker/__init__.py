"""The session worker: a process that runs many sessions for the web process."""

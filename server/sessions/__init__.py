"""Sessions: the pure core, its runners, its log, and the processes that host it."""

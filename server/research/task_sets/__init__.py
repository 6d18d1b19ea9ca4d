"""Sets of tasks: tried in the simulator, built in shards, reported."""

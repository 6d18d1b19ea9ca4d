"""Assignment of people and groups to conditions, orders and tasks: pure, seeded, replayable."""

"""The pure core of a session: its state, rules, scoring and the order of its ticks."""

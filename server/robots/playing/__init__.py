"""Policy players: how a policy plays in its seat."""

"""Pure matchmaking: tickets and their transitions, matchmakers."""

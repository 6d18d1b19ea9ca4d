"""Pure matchmaking: tickets and their transitions, pairing policies."""

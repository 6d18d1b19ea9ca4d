"""Matchmakers: pure functions of tickets, time and a generator to matches."""

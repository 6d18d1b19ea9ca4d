"""Simulation of a study's lobby: invented arrivals against the queue and matchmakers in use."""

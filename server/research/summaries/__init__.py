"""Summaries of recorded episodes: what exports ask of a log, computed once and kept beside it."""

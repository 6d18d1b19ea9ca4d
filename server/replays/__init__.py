"""Replays: films of recorded episodes, for the page that shows them again."""

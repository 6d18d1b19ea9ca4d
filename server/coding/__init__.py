"""Coding of recorded episodes by researchers: codebooks, notes on moments, and how coders agree."""

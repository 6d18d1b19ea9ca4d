"""Policies that live elsewhere: programs in any language that play seats over a websocket."""

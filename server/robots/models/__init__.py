"""Calling a language model behind an OpenAI-compatible server."""

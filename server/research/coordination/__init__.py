"""Coordination: people with people, people with policies, policies with policies, and alone."""

"""Recruiters: how people come to a study, and how they go back with what they have earned.

A recruiter is one class in one file, named in `server.recruiting.registry`.
"""

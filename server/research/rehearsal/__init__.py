"""Rehearsals: scripted participants go through visits, lobby, draws and tasks, unpaced."""

"""Views of a visit's places: one file each, named in `server.web.participants.registry`."""

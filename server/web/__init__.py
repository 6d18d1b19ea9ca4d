"""Pages, sockets and authentication."""

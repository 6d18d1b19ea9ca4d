"""Inter-process communication between the web process and a session worker."""

"""Starting a vLLM server and looking at one. Policies and sessions need nothing of this."""

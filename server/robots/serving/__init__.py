"""Starting a vLLM server and looking at one; policies and sessions need nothing of this."""

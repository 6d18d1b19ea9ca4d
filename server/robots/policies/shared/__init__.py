"""Parts that several policies share: model calls, examples, tool prompts."""

"""Parts that policies share: model calls, examples, tool prompts."""

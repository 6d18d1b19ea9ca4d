"""Parts that policies share: model calls, conversations, examples, tool prompts."""

"""What models learn from recorded sessions: traces as examples, samples for finetuning."""

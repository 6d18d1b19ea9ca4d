"""Training material from recorded sessions: traces as examples, samples for finetuning."""

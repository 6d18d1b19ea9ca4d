"""From recorded sessions to what models learn from: traces as examples, samples for finetuning."""

"""The finetuned policy: a planner trained on recorded calls."""

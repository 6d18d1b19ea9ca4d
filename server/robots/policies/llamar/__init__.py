"""The ``llamar`` policy: LLaMAR's four modules around a shared board of subtasks."""

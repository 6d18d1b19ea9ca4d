"""Pictures of a report, made from the recording of an episode by a process of their own."""

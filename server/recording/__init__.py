"""Session recordings: written, archived, replayed and scored again."""

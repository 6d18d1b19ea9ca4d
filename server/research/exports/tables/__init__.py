"""Tables of an export, one file each: its columns with their meaning, and its rows."""

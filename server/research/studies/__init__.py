"""Studies before they open: checks, frozen manifests, preregistrations, and ready files."""

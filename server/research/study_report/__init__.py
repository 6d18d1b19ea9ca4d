"""Report of a study: one HTML file from the folder of an export, and nothing else."""

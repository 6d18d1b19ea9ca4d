"""PARTNR's heuristic expert as it is: a script that plans once and mends nothing."""

"""Simulators behind one contract (`contract`): the embedded household, and Habitat."""

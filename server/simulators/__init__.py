"""Simulators behind one contract (`base`): the embedded household, and Habitat."""

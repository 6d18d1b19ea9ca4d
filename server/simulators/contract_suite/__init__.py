"""Tests of the simulator contract, for anybody who writes a simulator.

`server.simulators.contract.Simulator` says what a simulator does; the tests here check it. A test
file of ten lines runs all of them on a simulator of one's own::

    import pytest
    from my_simulator import MySimulator

    from server.simulators.contract_suite import two_rooms
    from server.simulators.contract_suite.backend import Backend
    from server.simulators.contract_suite.suite import SimulatorContract

    class TestMySimulator(SimulatorContract):
        @pytest.fixture
        def backend(self) -> Backend:
            return two_rooms.backend(lambda: MySimulator(two_rooms.CATALOGUE, two_rooms.SCENE))

`two_rooms` is a small flat written by hand, given as a catalogue, a scene and a task. A simulator
that brings scenes of its own describes one of them as a `Backend`: a task, two objects to move, and
landmarks such as a table and a cupboard. The tests use nothing else.

Importing `suite` takes pytest and hypothesis (the extra ``dev``); `backend` and `two_rooms` take
neither, so a simulator that runs under another interpreter can load them there.
"""

"""Tests of what every policy must do, for anybody who writes a policy.

`server.robots.policy.Policy` says what a policy may be asked; the tests here check how it behaves
in a seat, in unpaced sessions in the first house. A test file of ten lines runs all of them on a
policy of one's own, named by its registry name or by its file::

    import pytest
    from my_model import MyModel

    from server.robots.contract_suite.candidate import Candidate
    from server.robots.contract_suite.suite import PolicyContract

    class TestMyPolicy(PolicyContract):
        @pytest.fixture
        def candidate(self) -> Candidate:
            return Candidate("my_policy.py", model=lambda core: MyModel())

The stand-in for a model answers what a good model would; it is given the session, so that it may
know the house and the task. The suite itself makes the models that fail, lie or stay silent. A
policy that asks no model leaves ``model`` out.

Importing `suite` takes pytest (the extra ``dev``); the other modules do not.
"""

"""A PettingZoo environment: sessions that go as fast as they can, played from outside."""

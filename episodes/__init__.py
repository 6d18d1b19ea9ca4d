"""Pure task domain: data set, scene, world state, rules, evaluator, houses and tasks."""

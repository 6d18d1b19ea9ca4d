"""The scripted partner: it knows the goal, shares the work aloud, and answers from templates."""

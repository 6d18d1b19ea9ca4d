"""The react policy: PARTNR's ReAct planner with its retrieval and centralised variants."""

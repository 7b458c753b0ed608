"""Who can travel where: agents, tasks, labels, and what they say of a route."""

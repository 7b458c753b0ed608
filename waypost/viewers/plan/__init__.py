"""Plans: the mini-map and the plan of a replay."""

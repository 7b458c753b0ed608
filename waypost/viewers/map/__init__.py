"""Maps: the mini-map and the map of a replay."""

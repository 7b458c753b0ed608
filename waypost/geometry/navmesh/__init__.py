"""Navmeshes: where a round agent can stand, and the shortest ways over it."""

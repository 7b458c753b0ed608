"""One module per physics engine."""

"""Studies: making, takes, exports."""

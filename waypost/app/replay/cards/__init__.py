"""What a step of a replay says: step, memory and metrics, as cards."""

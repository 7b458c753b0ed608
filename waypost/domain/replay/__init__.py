"""One episode played back, step by step, against the truth."""

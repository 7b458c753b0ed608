"""Foreign bytes are decoded in a child process with limits; faults of a library stay in there."""

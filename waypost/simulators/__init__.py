"""Physics engines behind one protocol, each in its own process."""

"""People who drive: recordings, takes and the studies around them."""

"""From gestures to edits, one module per job."""

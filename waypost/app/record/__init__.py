"""The Record workspace and the window of a participant."""

"""The Replay workspace."""

"""The Traverse workspace."""

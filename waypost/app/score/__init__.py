"""The Score workspace."""

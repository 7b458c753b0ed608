"""Curves over time or steps."""

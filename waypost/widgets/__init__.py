"""Reusable controls."""

"""Pixels from values; a viewer never edits."""

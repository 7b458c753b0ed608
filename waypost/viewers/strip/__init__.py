"""Strips of panoramas."""

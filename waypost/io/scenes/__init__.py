"""Readers and writers of 3D scenes."""

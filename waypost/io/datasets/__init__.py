"""Readers and writers of benchmark files."""

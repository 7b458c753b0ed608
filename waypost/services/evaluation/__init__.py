"""Scoring of whole result files, from a few episodes to millions."""

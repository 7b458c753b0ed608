"""Scores of runs, each with its definition, grouped in named profiles."""

"""Composition only: window, actions, command line, start-up."""

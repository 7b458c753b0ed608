"""Agents of a project: the dialog in which they are chosen, made, drawn and changed."""

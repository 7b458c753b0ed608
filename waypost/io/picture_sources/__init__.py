"""Finds the pictures of a step in the layouts of folders that the field uses."""

"""The window around the workspaces: layout, files, keys, state, start-up."""

from waypost.services.plain_imports import import_plainly

# Before anything else of the window, and with it of the program, is imported.
import_plainly()

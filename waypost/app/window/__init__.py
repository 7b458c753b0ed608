"""The window around the workspaces: layout, files, keys, state, start-up."""

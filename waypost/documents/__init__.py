"""The open project: immutable state, undo and selection."""

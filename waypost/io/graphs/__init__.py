"""Navigation graphs in the files of others."""

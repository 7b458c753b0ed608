"""The table of episodes: its columns, filters and ids."""

"""What every workspace shares: the open project, actions, the stage, keys that drive."""

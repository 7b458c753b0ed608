"""What is drawn of a replay over the scene."""

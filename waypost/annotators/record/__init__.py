"""What is drawn of a take over the scene."""

"""Takes looked at again: on the stage, over time, and with their scores."""

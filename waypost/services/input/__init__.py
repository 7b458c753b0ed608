"""What hands do: keys, game controllers, steering."""

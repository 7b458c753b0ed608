"""What a scene and its graph are."""

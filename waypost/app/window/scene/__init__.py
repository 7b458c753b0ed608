"""What the window asks about a scene, and how one that is wrong is put right."""

"""Questions about a scene's triangles: what a ray hits, where floors are, what a graph crosses."""

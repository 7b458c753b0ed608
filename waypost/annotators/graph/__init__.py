"""Draw the navigation graph: gestures in, edits and drawings out, no Qt."""

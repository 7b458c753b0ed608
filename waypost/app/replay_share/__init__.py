"""An episode of a run as a picture or a film to show to others."""

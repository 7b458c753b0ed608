"""What makes the shipped data and pictures of Waypost; not part of the package."""

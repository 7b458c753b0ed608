"""Data shipped with Waypost: agent profiles, taxonomies, icons, schemas."""

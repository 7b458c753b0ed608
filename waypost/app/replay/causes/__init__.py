"""Root causes: what analysts are asked, and their taxonomies."""

"""Charts laid out as shapes and words in pixels, painted alike by window and report."""

"""Pure scores over domain values, grouped in named profiles."""

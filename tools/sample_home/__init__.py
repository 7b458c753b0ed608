"""The furnished home of the sample, and what makes its files."""

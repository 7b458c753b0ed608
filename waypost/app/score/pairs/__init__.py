"""Comparing in pairs: two instructions beside each other, and which side is better."""

"""Furniture of the sample home, one family to a module; front towards −y, origin on the floor."""

"""A run as one HTML page, for people who do not have the program."""

"""Pictures and pages that show replays to people who do not have the program."""

"""Tables of runs, takes, labels and scores: pandas, imported when the first one is made."""

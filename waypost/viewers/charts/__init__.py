"""Charts of a failure analysis in the window; every part opens its episodes."""

"""While somebody drives: keys and sticks become steering, and the window is theirs."""

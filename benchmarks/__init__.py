"""What the README claims about speed, as runnable programs; ``make bench`` prints the table."""

"""What people change about the window itself: preferences, keys, engines, reading limits."""

"""Where a newcomer starts: the start page, the introduction, exercises."""

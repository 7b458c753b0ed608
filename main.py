"""``python main.py`` is the ``waypost`` command."""

import sys

from waypost.app.main import main

if __name__ == "__main__":
    sys.exit(main())

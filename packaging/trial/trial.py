"""Tries the files that people download in a Debian that has next to nothing, as they would: install, start from the
menu's entry, chat, remove. Needs Debian and root.

python3 packaging/trial/trial.py [--deb] [--tar] [--run] [--debian RELEASE] [--dist FOLDER] [--out FOLDER]

Without a choice all three are tried. What can be seen is kept as pictures in --out.
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[1])  # where `trial` is a package, and shell.py is found
    from trial.rounds import main

    sys.exit(main(sys.argv[1:]))

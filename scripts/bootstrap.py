"""Installs, builds, starts and tests Cohabit: what the Makefile calls.

Runs with the standard library of a bare Python. This file alone must also parse on old versions,
so that they get an explanation instead of a syntax error; the work is in `toolchain/`.
"""

import os
import sys

if sys.version_info < (3, 11):
    sys.stderr.write(
        "Cohabit needs Python 3.11 or newer; this one is {0} ({1}).\n"
        "Install one (for example `apt-get install python3.11` or `brew install python@3.12`) and"
        " name it: make PYTHON=python3.12 play\n".format(sys.version.split()[0], sys.executable)
    )
    sys.exit(1)

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from toolchain.commands import main

if __name__ == "__main__":
    sys.exit(main())

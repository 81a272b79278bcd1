"""Runs first in the packaged program: what it starts, a browser for one, must not be given its libraries."""

import os

_before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
if _before is None:
    os.environ.pop("LD_LIBRARY_PATH", None)
else:
    os.environ["LD_LIBRARY_PATH"] = _before

"""Makes everything that people download for the system that this runs on, from a clean checkout.

python3 packaging/build.py              the program in one folder, and from it the files to download, in dist/
python3 packaging/build.py --folder     only the program in one folder
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from project_venv import ROOT, Venv
from shell import SetupError, output_of, run, say

FOLDER = ROOT / "dist" / ("specchat.app" if sys.platform == "darwin" else "specchat")
_NEVER_CHANGED = "1577836800"
# An environment of its own: what else is installed would find its way into the bundle. llama.cpp is compiled apart.
_BUNDLING = Venv(ROOT / ".cache" / "bundle-venv", {"CMAKE_ARGS": "-DLLAMA_BUILD=OFF", "PIP_NO_CACHE_DIR": "1"})


def main(arguments: Sequence[str]) -> int:
    if set(arguments) - {"--folder"}:
        say((__doc__ or "").strip())
        return 2
    try:
        _BUNDLING.ensure("bundle")
        make = ROOT / "packaging" / "bundle" / "make.py"
        run([_BUNDLING.python, make, *arguments], "The build stopped, see above.", ROOT, _environment())
    except SetupError as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _environment() -> dict[str, str]:
    folders = [ROOT / "packaging", ROOT / "packaging" / "bundle"]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, folders)),
        "SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH") or _date_of_commit(),
    }


def _date_of_commit() -> str:
    return output_of(["git", "-C", ROOT, "log", "-1", "--format=%ct"]) or _NEVER_CHANGED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

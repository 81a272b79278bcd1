"""Build all downloads for this system from a clean checkout.

python3 packaging/build.py                      the program in one folder, and the downloads made from it, in dist/
python3 packaging/build.py --folder             only the program in one folder
python3 packaging/build.py --without-vulkan     without GPU support
python3 packaging/build.py --for-tests          for three kinds of CPU: faster, but not for distribution
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from project_venv import ROOT, Venv
from shell import SetupError, output_of, run, say

FOLDER = ROOT / "dist" / ("specchat.app" if sys.platform == "darwin" else "specchat")
OPTIONS = {"--folder", "--without-vulkan", "--for-tests"}
_NEVER_CHANGED = "1577836800"
# An environment of its own: what else is installed would find its way into the bundle. llama.cpp is compiled apart.
_VARIABLES = {"CMAKE_ARGS": "-DLLAMA_BUILD=OFF", "PIP_NO_CACHE_DIR": "1"}
_BUNDLING = Venv(ROOT / ".cache" / "bundle-venv", _VARIABLES, always_new=True)


def main(arguments: Sequence[str]) -> int:
    if set(arguments) - OPTIONS:
        say((__doc__ or "").strip())
        return 2
    try:
        make(arguments)
    except SetupError as error:
        say(str(error))
        return 1
    return 0


def make(arguments: Sequence[str]) -> None:
    _BUNDLING.ensure("bundle")
    script = ROOT / "packaging" / "bundle" / "make.py"
    run([_BUNDLING.python, script, *arguments], "The build failed. The reason is above.", ROOT, _environment())


def _environment() -> dict[str, str]:
    folders = [ROOT / "packaging", ROOT / "packaging" / "bundle"]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, folders)),
        "SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH") or _date_of_commit(),
    }


def _date_of_commit() -> str:
    date = output_of(["git", "-C", ROOT, "log", "-1", "--format=%ct"])
    if not date:
        say("git doesn't know when the sources were last changed, so all files are dated 2020.")
    return date or _NEVER_CHANGED


if __name__ == "__main__":
    if sys.version_info < (3, 11):  # noqa: UP036 - any Python may be the one that starts this file
        sys.exit(f"specchat needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)

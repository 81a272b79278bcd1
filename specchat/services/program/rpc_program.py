"""Finds `ggml-rpc-server` beside llama.cpp's libraries, or beside the RPC backend that was built for them."""

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from specchat.domain.errors import SettingError

_NAME = "ggml-rpc-server.exe" if sys.platform == "win32" else "ggml-rpc-server"


def find_rpc_server() -> Path:
    for folder in _folders():
        if (folder / _NAME).is_file():
            return folder / _NAME
    raise SettingError(
        "ggml-rpc-server is not installed here.",
        "The packaged specchat includes it. From source, build it with: python3 packaging/dev.py run --gpu rpc",
    )


def _folders() -> Iterator[Path]:
    spec = find_spec("llama_cpp")
    for package in spec.submodule_search_locations or () if spec else ():
        yield Path(package) / "lib"
    for module in filter(None, os.environ.get("GGML_BACKEND_PATH", "").split(os.pathsep)):
        yield Path(module).parent

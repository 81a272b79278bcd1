"""Imports the functions of llama.cpp without the rest of the binding (20 MB and 0.2 s)."""

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from specchat.backends.openmp import spin_settings

_PACKAGE = "llama_cpp"


def _functions() -> Any:
    """Imports the module with the functions. Registers an empty package first, so that the real one is not run."""
    spec = importlib.util.find_spec(_PACKAGE)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    if _PACKAGE not in sys.modules and folders:
        package = ModuleType(_PACKAGE)
        package.__spec__, package.__path__ = spec, folders
        sys.modules[_PACKAGE] = package
    with spin_settings(Path(*folders[:1]) / "lib"):
        return importlib.import_module(f"{_PACKAGE}.llama_cpp")


def import_mtmd() -> Any:
    """What reads pictures and recordings has a library of its own, which is loaded for models that do."""
    return importlib.import_module(f"{_PACKAGE}.mtmd_cpp")


llama = _functions()

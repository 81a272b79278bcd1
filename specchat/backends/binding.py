"""llama.cpp's functions, without the rest of the binding, which takes 20 MB and 0.2 s to import."""

import importlib
import importlib.util
import sys
from types import ModuleType
from typing import Any

_PACKAGE = "llama_cpp"


def _functions() -> Any:
    """A package that is there already is not run to import its parts."""
    spec = importlib.util.find_spec(_PACKAGE)
    if _PACKAGE not in sys.modules and spec is not None and spec.submodule_search_locations is not None:
        package = ModuleType(_PACKAGE)
        package.__spec__, package.__path__ = spec, spec.submodule_search_locations
        sys.modules[_PACKAGE] = package
    return importlib.import_module(f"{_PACKAGE}.llama_cpp")


llama = _functions()

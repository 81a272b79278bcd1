"""llama.cpp's functions without the rest of the binding, which takes 20 MB and 0.2 s to import."""

import importlib.util
import sys
from types import ModuleType

_PACKAGE = "llama_cpp"


def use_bare_binding() -> None:
    """Before the first import of the binding. A package that is there already is not run again to import its parts."""
    spec = importlib.util.find_spec(_PACKAGE)
    if _PACKAGE in sys.modules or spec is None or spec.submodule_search_locations is None:
        return
    package = ModuleType(_PACKAGE)
    package.__spec__, package.__path__ = spec, spec.submodule_search_locations
    sys.modules[_PACKAGE] = package

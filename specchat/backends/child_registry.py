"""Registry of the child processes that `specchat --child NAME` can start."""

import sys
from collections.abc import Callable


def _template() -> None:
    from specchat.backends.template_child import child_main

    child_main()


def _preflight() -> None:
    from specchat.backends.preflight import child_main

    child_main()


def _measure() -> None:
    from specchat.backends.measure_child import child_main

    child_main()


def _keeper() -> None:
    from specchat.backends.keeper_child import child_main

    child_main()


def _supervisor() -> None:
    if sys.platform != "win32":
        from specchat.backends.supervisor_child import child_main

        child_main()


def _backend() -> None:
    from specchat.backends.backend_folder import child_main

    child_main()


def _document() -> None:
    from specchat.backends.documents.document_child import child_main

    child_main()


def _embedding() -> None:
    from specchat.backends.embedding_child import child_main

    child_main()


# Imports are inside the functions, so that the template child never loads llama.cpp.
CHILDREN: dict[str, Callable[[], None]] = {
    "template": _template,
    "preflight": _preflight,
    "measure": _measure,
    "keeper": _keeper,
    "supervisor": _supervisor,
    "backend": _backend,
    "document": _document,
    "embedding": _embedding,
}


def main(name: str) -> int:
    child = CHILDREN.get(name)
    if child is None:
        return 2
    child()
    return 0

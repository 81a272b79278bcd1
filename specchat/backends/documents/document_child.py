"""The child process that reads documents, which may be hostile."""

import os
from pathlib import Path
from typing import Any

from specchat.backends.child_loop import serve
from specchat.backends.documents.document_text import DocumentFault, DocumentText, Fault
from specchat.backends.documents.formats import load_reader


def child_main() -> None:
    serve(read)


def read(request: dict[str, Any]) -> dict[str, Any]:
    path, document = Path(request["path"]), DocumentText()
    try:
        _require_readable(path)
        load_reader(request["kind"])(path, document)
    except DocumentFault as fault:
        return {"fault": fault.fault, "values": {name: str(value) for name, value in fault.values.items()}}
    except RecursionError:
        return {"fault": Fault.DAMAGED, "values": {}}
    except OSError as error:
        return {"unreadable": error.strerror or ""}
    return {"text": document.text} if document.has_text else {"fault": Fault.EMPTY, "values": {}}


def _require_readable(path: Path) -> None:
    """Raises an OSError with the reason. The readers would report such a file as damaged or empty."""
    if path.is_dir():
        os.scandir(path).close()
    else:
        path.open("rb").close()

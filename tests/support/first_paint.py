"""Starts the program as `python -m specchat` does; tells when its window is painted, and ends.

The argument is the time before this process was started, by the clock that all processes share.
"""

import gc
import json
import os
import sys
import time

from specchat import bootstrap
from specchat.ui.start import qt_check

LATE = (
    *("llama_cpp", "huggingface_hub", "httpx2", "keyring", "numpy", "psutil", "specchat.ui.help.page"),
    *("pypdfium2", "specchat.backends.documents", "specchat.services.chat.passages", "specchat.ui.documents.viewer"),
)
"""What the first paint need not wait for."""


def main() -> None:
    require_qt = qt_check.require_qt

    def require_qt_and_listen() -> None:
        require_qt()
        _listen()

    qt_check.require_qt = require_qt_and_listen  # type: ignore[assignment]
    sys.exit(bootstrap.run([]))


def _listen() -> None:
    """Connected before anything else is: what the paint sets off does not count."""
    from specchat.ui.window.main_window import MainWindow

    build = MainWindow.__init__

    def build_and_listen(window: MainWindow, *arguments: object) -> None:
        build(window, *arguments)  # type: ignore[arg-type]
        window.first_painted.connect(lambda: _painted(window))

    MainWindow.__init__ = build_and_listen  # type: ignore[method-assign,assignment]


def _painted(window: object) -> None:
    from PySide6.QtCore import QTimer

    painted_s = _since_start()
    imported = [name for name in LATE if name in sys.modules]
    QTimer.singleShot(0, lambda: _tell(painted_s, imported))


def _tell(painted_s: float, imported: list[str]) -> None:
    """What the paint sets off is done as well: the list is filled."""
    told = {"painted_s": painted_s, "filled_s": _since_start(), "imported": imported, "collects": gc.isenabled()}
    print(json.dumps(told), flush=True)  # noqa: T201
    os._exit(0)


def _since_start() -> float:
    return time.monotonic() - float(sys.argv[1])


if __name__ == "__main__":
    main()

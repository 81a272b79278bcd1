"""Logs go to stderr and to a rotating file, never to stdout."""

import logging
import os
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path

from specchat.domain.errors import SettingError

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


def start_logging(folder: Path) -> None:
    level = os.environ.get("SPECCHAT_LOG", "WARNING").upper()
    if level not in _LEVELS:
        raise SettingError(f"SPECCHAT_LOG is {level}.", f"Set it to one of: {', '.join(_LEVELS)}.")
    stderr = logging.StreamHandler(sys.stderr)
    stderr.setLevel(level)
    stderr.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(stderr)
    root.setLevel(min(logging.INFO, logging.getLevelNamesMapping()[level]))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = RotatingFileHandler(folder / "specchat.log", maxBytes=2_000_000, backupCount=3, encoding="utf-8")
    except OSError as error:
        logging.getLogger(__name__).warning("No log file: %s", error)
        return
    file.setFormatter(logging.Formatter(_FORMAT))
    root.addHandler(file)

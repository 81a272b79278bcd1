"""Configures logging to stderr and to a rotating file, never to stdout."""

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from specchat.domain.errors import SettingError
from specchat.store.private_files import make_private_folder, open_private

log = logging.getLogger(__name__)

UNWRITABLE = (
    "Can't write %s: %s. Free up some space, check the folder's permissions, or set SPECCHAT_HOME to another folder."
)
"""The path and the reason; the terminal shows it only once, because other files fail for the same reason."""
_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


@contextmanager
def logging_to(folder: Path) -> Iterator[None]:
    level = _level()
    with ExitStack() as handlers:
        handlers.enter_context(_quiet_failures())
        handlers.enter_context(_root_level(min(logging.INFO, logging.getLevelNamesMapping()[level])))
        handlers.enter_context(_attached(_to_stderr(level)))
        try:
            file = _to_file(folder)
        except OSError as error:
            log.warning(UNWRITABLE, folder, error.strerror)
        else:
            handlers.enter_context(_attached(file))
        yield


def _level() -> str:
    level = os.environ.get("SPECCHAT_LOG", "WARNING").upper()
    if level not in _LEVELS:
        raise SettingError(
            "SPECCHAT_LOG has an invalid value: {level}.",
            "Set it to one of these: {known}.",
            level=level,
            known=", ".join(_LEVELS),
        )
    return level


def _to_stderr(level: str) -> logging.Handler:
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(level)
    handler.addFilter(_UnwritableOnce())
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    return handler


class _UnwritableOnce(logging.Filter):
    _is_told = False

    def filter(self, record: logging.LogRecord) -> bool:
        was_told = self._is_told
        self._is_told |= record.msg == UNWRITABLE
        return not was_told or record.msg != UNWRITABLE


class _PrivateFileHandler(RotatingFileHandler):
    def _open(self) -> TextIOWrapper:
        file = open_private(Path(self.baseFilename), f"{self.mode}b")
        return TextIOWrapper(file, encoding=self.encoding, errors=self.errors)


def _to_file(folder: Path) -> logging.Handler:
    make_private_folder(folder)
    handler = _PrivateFileHandler(folder / "specchat.log", maxBytes=2_000_000, backupCount=3, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    return handler


@contextmanager
def _attached(handler: logging.Handler) -> Iterator[None]:
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
        with suppress(OSError):  # the disk is full: there is nothing more to write
            handler.close()


@contextmanager
def _root_level(level: int) -> Iterator[None]:
    root = logging.getLogger()
    previous = root.level
    root.setLevel(level)
    try:
        yield
    finally:
        root.setLevel(previous)


@contextmanager
def _quiet_failures() -> Iterator[None]:
    """A full disk or a file that another process rotates is no reason to flood the terminal."""
    previous, logging.raiseExceptions = logging.raiseExceptions, False
    try:
        yield
    finally:
        logging.raiseExceptions = previous

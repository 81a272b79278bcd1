"""The ways in which a model file disappoints, worded once."""

from specchat.domain.errors import ModelFileError

DOWNLOAD_AGAIN = "Download the file again."


def damaged(name: str, what: str) -> ModelFileError:
    return ModelFileError(f"{name} is damaged: {printable(what)}.", DOWNLOAD_AGAIN)


def truncated(name: str, needed: int, size: int) -> ModelFileError:
    return ModelFileError(f"{name} is truncated: it needs {needed} bytes but has {size}.", DOWNLOAD_AGAIN)


def printable(text: str, longest: int = 160) -> str:
    """Text out of a file, without what would move a terminal's cursor or flood a window."""
    shown = "".join(character if character.isprintable() else "\ufffd" for character in text[:longest])
    return shown if len(text) <= longest else f"{shown}…"

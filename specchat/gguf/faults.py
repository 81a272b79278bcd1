"""The ways in which a model file disappoints, worded once."""

from specchat.domain.errors import ModelFileError
from specchat.domain.said import Said

DOWNLOAD_AGAIN = Said("Download the file again.")


def damaged(file: str, what: str, /, **values: object) -> ModelFileError:
    """`what` may have {fields}, which the values fill: they come out of the file."""
    shown = {name: printable(str(value)) for name, value in values.items()}
    return ModelFileError("{name} is damaged: {what}.", DOWNLOAD_AGAIN, name=file, what=Said(what, **shown))


def truncated(name: str, needed: int, size: int) -> ModelFileError:
    return ModelFileError(
        "{name} is truncated: it needs {needed} bytes but has {size}.",
        DOWNLOAD_AGAIN,
        name=name,
        needed=needed,
        size=size,
    )


def printable(text: str, longest: int = 160) -> str:
    """Text out of a file, without what would move a terminal's cursor or flood a window."""
    shown = "".join(character if character.isprintable() else "\ufffd" for character in text[:longest])
    return shown if len(text) <= longest else f"{shown}…"

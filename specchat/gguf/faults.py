"""The ways in which a model file disappoints, worded once."""

from specchat.domain.errors import ModelFileError
from specchat.domain.printable_text import printable_text
from specchat.domain.said import Said, grouped

DOWNLOAD_AGAIN = Said("Download the file again.")


def damaged(file: str, what: str, /, **values: object) -> ModelFileError:
    """`what` may have {fields}, which the values fill: they come out of the file."""
    shown = {name: printable(str(value)) for name, value in values.items()}
    return ModelFileError("{name} is damaged: {what}.", DOWNLOAD_AGAIN, name=file, what=Said(what, **shown))


def truncated(name: str, needed: int, size: int) -> ModelFileError:
    return ModelFileError(
        "{name} is incomplete: it has {size} of {needed} bytes.",
        DOWNLOAD_AGAIN,
        name=name,
        needed=grouped(needed),
        size=grouped(size),
    )


def ends_in_header(name: str, size: int) -> ModelFileError:
    """How long all of it is stands in what is missing."""
    return ModelFileError(
        "{name} is incomplete: it ends within its header, after {size} bytes.",
        DOWNLOAD_AGAIN,
        name=name,
        size=grouped(size),
    )


def printable(text: str, longest: int = 160) -> str:
    """Text out of a file, without what would move a terminal's cursor or flood a window."""
    shown = printable_text(text[:longest])
    return shown if len(text) <= longest else f"{shown}…"

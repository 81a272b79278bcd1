"""Error messages for damaged and truncated model files."""

from specchat.domain.errors import ModelFileError, ModelLoadError
from specchat.domain.printable_text import printable_text
from specchat.domain.translatable_text import TranslatableText, group_digits

DOWNLOAD_AGAIN = TranslatableText("Download the file again.")


def damaged_file_error(file: str, what: str, /, **values: object) -> ModelFileError:
    """`what` may have {fields}, which the values fill: they come out of the file."""
    shown = {name: printable(str(value)) for name, value in values.items()}
    return ModelFileError("{name} is damaged: {what}.", DOWNLOAD_AGAIN, name=file, what=TranslatableText(what, **shown))


def truncated_file_error(name: str, needed: int, size: int) -> ModelFileError:
    return ModelFileError(
        "{name} is incomplete: it has {size} of {needed} bytes.",
        DOWNLOAD_AGAIN,
        name=name,
        needed=group_digits(needed),
        size=group_digits(size),
    )


def truncated_header_error(name: str, size: int) -> ModelFileError:
    """How long all of it is stands in what is missing."""
    return ModelFileError(
        "{name} is incomplete: it ends within its header, after {size} bytes.",
        DOWNLOAD_AGAIN,
        name=name,
        size=group_digits(size),
    )


def no_target_error(name: str) -> ModelLoadError:
    return ModelLoadError(
        "{name} is a draft head and can't answer by itself.",
        "Choose its target, and use this file as the draft.",
        name=name,
    )


def printable(text: str, longest: int = 160) -> str:
    """Text out of a file, without what would move a terminal's cursor or flood a window."""
    shown = printable_text(text[:longest])
    return shown if len(text) <= longest else f"{shown}…"

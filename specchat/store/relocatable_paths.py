"""Stores paths relative to a folder that may be moved as a whole."""

from collections.abc import Callable
from pathlib import Path, PurePosixPath

_FOLDER = "{specchat}"
"""Stands for it. No absolute path begins like that."""


def make_relative(content: object, folder: Path) -> object:
    """With the paths below `folder` as they are kept, wherever they stand."""
    return _with_each_text(content, lambda text: _kept_text(text, folder))


def make_absolute(content: object, folder: Path) -> object:
    """The other way round: with the paths as they are now."""
    return _with_each_text(content, lambda text: _found_text(text, folder))


def _with_each_text(content: object, change: Callable[[str], str]) -> object:
    match content:
        case str():
            return change(content)
        case list():
            return [_with_each_text(each, change) for each in content]
        case dict():
            return {change(key): _with_each_text(each, change) for key, each in content.items()}
    return content


def _kept_text(text: str, folder: Path) -> str:
    path = Path(text)
    if not path.is_absolute() or ".." in path.parts or not path.is_relative_to(folder):
        return text
    return str(PurePosixPath(_FOLDER, *path.relative_to(folder).parts))


def _found_text(text: str, folder: Path) -> str:
    first, *parts = PurePosixPath(text).parts or ("",)
    return str(folder.joinpath(*parts)) if first == _FOLDER else text

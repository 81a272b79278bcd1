"""Paths in a folder that may move as a whole: kept relative to it."""

from pathlib import Path, PurePosixPath

_FOLDER = "{specchat}"
"""Stands for it. No absolute path begins like that."""


def kept(content: object, folder: Path) -> object:
    """With the paths below `folder` as they are kept, wherever they stand."""
    match content:
        case str():
            return _kept_text(content, folder)
        case list():
            return [kept(each, folder) for each in content]
        case dict():
            return {_kept_text(key, folder): kept(each, folder) for key, each in content.items()}
    return content


def found(content: object, folder: Path) -> object:
    """The other way round: with the paths as they are now."""
    match content:
        case str():
            return _found_text(content, folder)
        case list():
            return [found(each, folder) for each in content]
        case dict():
            return {_found_text(key, folder): found(each, folder) for key, each in content.items()}
    return content


def _kept_text(text: str, folder: Path) -> str:
    path = Path(text)
    if not path.is_absolute() or ".." in path.parts or not path.is_relative_to(folder):
        return text
    return str(PurePosixPath(_FOLDER, *path.relative_to(folder).parts))


def _found_text(text: str, folder: Path) -> str:
    first, *parts = PurePosixPath(text).parts or ("",)
    return str(folder.joinpath(*parts)) if first == _FOLDER else text

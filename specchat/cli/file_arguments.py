"""Recognises command lines that only name files to open, or the demo."""

import os
from collections.abc import Sequence
from pathlib import Path

from specchat.cli import COMMANDS
from specchat.services.models.demo_pair import DEMO, demo_files

_HELP = ("-h", "--help")
MAIN_OPTIONS = (*_HELP, "--version", "--smoke-test")


def file_arguments(argv: Sequence[str]) -> tuple[Path, ...]:
    """None where something else is asked for."""
    if argv and argv[0] not in COMMANDS and all(_demo(name) or _is_file(name) for name in argv):
        return tuple(file for name in argv for file in _demo(name) or (_absolute(Path(name)),))
    return ()


def help_arguments(argv: Sequence[str]) -> Sequence[str]:
    """With --help where argparse looks for it, also beside files, and for `specchat help chat`."""
    if argv[:1] == ["help"] and not os.path.exists("help"):
        return [*argv[1:], "--help"]
    others = [word for word in argv if word not in _HELP]
    return ["--help"] if len(others) < len(argv) and file_arguments(others) else argv


def argument_error(argv: Sequence[str]) -> str | None:
    """Of words that name no command, and of which not all are models."""
    if not argv or argv[0] in COMMANDS or any(option.startswith(argv[0]) for option in MAIN_OPTIONS):
        return None
    if argv[0].startswith("-"):
        return f"{argv[0]} needs a command before it, as in: specchat chat -m demo"
    name = next((name for name in argv if not (_demo(name) or _is_file(name))), None)
    if name is None:
        return None
    if name.startswith("-"):
        return f"{name} can't be combined with model files for the window"
    if os.path.isdir(name):
        return f"{name} is a folder: specify a .gguf file in it"
    return f"{name!r} is neither a .gguf file nor a command; the commands are {', '.join(COMMANDS)}"


def _demo(name: str) -> tuple[Path, ...]:
    return tuple(file for file in demo_files() if name in (DEMO, file.stem))


def _is_file(name: str) -> bool:
    """A model that is gone is one as well: what opens it tells."""
    return not name.startswith("-") and (name.casefold().endswith(".gguf") or os.path.isfile(name))


def _absolute(path: Path) -> Path:
    """Another process, which stands in another folder, may open it."""
    try:
        return path.absolute()
    except OSError:  # the folder is gone, and the file with it
        return path

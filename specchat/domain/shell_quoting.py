"""Quotes and splits commands as the shell of this system does."""

import re
import shlex
import sys
from subprocess import list2cmdline

_PIECE = re.compile(r'\\*"|\s+|\\+|[^\s"\\]+')


def quote_command(*words: str) -> str:
    """Quotes words for the shell of this system."""
    return list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def split_command(command: str) -> list[str]:
    """Raises a ValueError if a quotation mark is not closed."""
    return _split_on_windows(command) if sys.platform == "win32" else shlex.split(command)


def _split_on_windows(command: str) -> list[str]:
    """Backslashes are plain characters, except before quotation marks."""
    words, word, is_quoted = list[str](), "", False
    is_word = False
    for piece in _PIECE.findall(command):
        if piece.isspace() and not is_quoted:
            words += [word] * is_word
            word, is_word = "", False
            continue
        if piece.endswith('"'):
            n_backslashes, is_literal = divmod(len(piece) - 1, 2)
            is_quoted = is_quoted if is_literal else not is_quoted
            piece = "\\" * n_backslashes + '"' * is_literal
        word, is_word = word + piece, True
    if is_quoted:
        raise ValueError("a quotation mark is not closed")
    return words + [word] * is_word

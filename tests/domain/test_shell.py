import shlex
import subprocess
import sys

import pytest

from specchat.domain.shell_quoting import quote_command

PLAIN = ("specchat", "models", "pull", "owner/repo:Q4_K_M")
WORDS = ("two words", "it's", 'a "b"', "$HOME", "größe.gguf", "")


def test_what_needs_no_quotes_has_none() -> None:
    assert quote_command(*PLAIN) == " ".join(PLAIN)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no POSIX shell")
def test_a_shell_takes_the_same_words_from_it() -> None:
    line = f"printf '%s|' {quote_command(*WORDS)}"
    assert subprocess.run(["sh", "-c", line], capture_output=True, check=True).stdout.decode() == "|".join(WORDS) + "|"
    assert tuple(shlex.split(quote_command(*WORDS))) == WORDS

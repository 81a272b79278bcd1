import shlex
import subprocess
import sys

import pytest

from specchat.domain.shell_quoting import quote_command, split_command

PLAIN = ("specchat", "models", "pull", "owner/repo:Q4_K_M")
WORDS = ("two words", "it's", 'a "b"', "$HOME", "größe.gguf", "")


def test_what_needs_no_quotes_has_none() -> None:
    assert quote_command(*PLAIN) == " ".join(PLAIN)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no POSIX shell")
def test_a_shell_takes_the_same_words_from_it() -> None:
    line = f"printf '%s|' {quote_command(*WORDS)}"
    assert subprocess.run(["sh", "-c", line], capture_output=True, check=True).stdout.decode() == "|".join(WORDS) + "|"
    assert tuple(shlex.split(quote_command(*WORDS))) == WORDS


@pytest.mark.parametrize("system", ["linux", "win32"])
def test_what_is_quoted_is_split_again(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.setattr(sys, "platform", system)
    words = ["server.exe", "--folder", "a b\\", "C:\\Users\\Ada", "it's", "", '{"a": "\\\\"}']
    assert split_command(quote_command(*words)) == words
    with pytest.raises(ValueError, match="quotation"):
        split_command('server "a')


def test_backslashes_separate_folders_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    command = r'C:\Tools\server.exe  "C:\My notes\it' + "'s\" -v"
    assert split_command(command) == ["C:\\Tools\\server.exe", "C:\\My notes\\it's", "-v"]

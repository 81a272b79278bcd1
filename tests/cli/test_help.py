"""What the help, README and the pages of the documentation tell people to type works."""

import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from support.commands import Commands

from specchat import bootstrap
from specchat.cli import COMMANDS
from specchat.cli.file_arguments import file_arguments

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "resources" / "docs").rglob("*.md"))]
ELSEWHERE = re.compile(r"[A-Z]{4}|owner/|/[A-Z]|serve|pull|search|drafts-for|--(engine|rpc)|engines (test|--find)")
"""Commands with placeholders, or that ask the Hub or an engine, or do not end."""
WITH_TASKS = {
    "models": ("list", "search", "files", "pull", "verify", "rm", "pairs", "drafts-for"),
    "engines": ("list", "add", "test", "rm"),
    "chats": ("list", "search", "show", "export", "import"),
}
EXPLAINED = [[], *([name] for name in COMMANDS), *([name, task] for name in WITH_TASKS for task in WITH_TASKS[name])]


def helped(commands: Commands, *words: str) -> str:
    outcome = commands.run(*words, "--help")
    assert (outcome.code, outcome.stderr) == (0, b"")
    return outcome.out


def understood(line: str) -> None:
    words = shlex.split(line.partition(" < ")[0])[1:]
    if not file_arguments(words):
        bootstrap._parser(words).parse_args(words)


@pytest.mark.parametrize("words", EXPLAINED, ids=" ".join)
def test_examples_work(commands: Commands, words: list[str]) -> None:
    text = helped(commands, *words)
    _, _, given = text.partition("\nexamples:\n")
    for line in filter(None, given.splitlines()):
        if not line.endswith(" --help"):
            understood(line.strip())


@pytest.mark.parametrize("words", [[], ["chat"], ["models", "pull"]], ids=" ".join)
def test_help_goes_by_its_name_too(commands: Commands, words: list[str]) -> None:
    assert commands.run("help", *words).out == helped(commands, *words)


@pytest.mark.parametrize("words", EXPLAINED, ids=" ".join)
def test_help_is_no_wider_than_a_terminal(
    commands: Commands, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, helped(commands, *words).partition("\nexamples:\n")[0].splitlines())) <= 80


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_each_command_has_examples(commands: Commands, name: str) -> None:
    assert f"\nexamples:\n  specchat {name}" in helped(commands, name)


@pytest.mark.parametrize("words", EXPLAINED, ids=" ".join)
def test_each_argument_is_explained(commands: Commands, words: list[str]) -> None:
    lines = helped(commands, *words).splitlines()
    arguments = [index for index, line in enumerate(lines) if re.match(r"  [-A-Z]", line)]
    for index in arguments:
        is_below = lines[index + 1 : index + 2] and lines[index + 1].startswith("    ")
        assert is_below or "  " in lines[index].strip(), lines[index]


def blocks(page: Path) -> Iterator[str]:
    """Lines of the code blocks."""
    for block in page.read_text(encoding="utf-8").split("```")[1::2]:
        yield from block.splitlines()


def told() -> Iterator[str]:
    """In code, alone in a block or between backticks; what is left out of a line is not for typing."""
    for page in PAGES:
        lines = [*blocks(page)]
        lines += [span for part in page.read_text(encoding="utf-8").split("```")[::2] for span in part.split("`")[1::2]]
        for line in lines:
            if line.startswith("specchat ") and "[" not in line and "…" not in line:
                yield line


def runnable() -> Iterator[str]:
    for page in PAGES:
        for line in blocks(page):
            if line.startswith("specchat ") and not ELSEWHERE.search(line):
                yield line


@pytest.mark.parametrize("line", sorted(set(told())))
def test_what_the_pages_tell_is_understood(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    with suppress(SystemExit):
        understood(line)
    error = capsys.readouterr().err
    assert "error: " not in error or "are required" in error  # parts of a command line are told as well


@pytest.mark.parametrize("line", sorted(set(runnable())))
def test_the_commands_of_the_pages_run(commands: Commands, line: str) -> None:
    outcome = commands.run(*shlex.split(line)[1:])
    assert outcome.code == 0, outcome.stderr


def test_readme_is_short() -> None:
    assert len(PAGES[0].read_bytes()) <= 6000

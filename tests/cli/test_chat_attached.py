"""`specchat chat --attach`: files go into the prompt whole, or as the passages that fit."""

from pathlib import Path
from typing import Any

import pytest
from support.commands import Commands
from support.documents import write_book

DOCUMENTS = Path(__file__).parents[1] / "examples" / "documents"
ASKED = ("chat", "-m", "demo", "-p", "Who painted the lighthouse?", "-n", "1", "--json")


def n_prompt(commands: Commands, *options: str | Path) -> int:
    size: int = commands.answer(*ASKED[1:-1], *options)["stats"]["n_prompt"]
    return size


def test_files_that_fit_are_read_whole(commands: Commands, tmp_path: Path) -> None:
    notes, page = tmp_path / "notes.txt", tmp_path / "page.html"
    notes.write_text("The lighthouse is white.")
    page.write_text("<p>Ada Vonk painted it.</p>")
    alone = n_prompt(commands)
    one = n_prompt(commands, "--attach", notes)
    both = n_prompt(commands, "--attach", notes, "--attach", page)
    assert alone + 5 < one < both
    assert n_prompt(commands, "--attach", notes, "--system", "Be brief.") > one


@pytest.mark.parametrize("n_lines", [400, 40_000])
def test_of_those_that_do_not_fit_passages_are_read(commands: Commands, tmp_path: Path, n_lines: int) -> None:
    """With so few that they must be counted, and with so many that nobody counts them."""
    book = write_book(tmp_path / "book.txt", n_lines)
    found = commands.run(*ASKED, "--attach", book)
    assert found.code == 0
    assert found.json["stats"]["n_prompt"] < 1500
    assert found.err.startswith("Note: book.txt doesn't fit in the context. Passages read: line ")


def test_what_cannot_be_attached_says_why(commands: Commands, tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.touch()
    locked, missing = DOCUMENTS / "reportlab-locked.pdf", tmp_path / "none.pdf"
    reasons = {
        locked: f"Can't attach {locked}: The file is protected with a password.",
        empty: f"{empty} is empty.",
        missing: f"File not found: {missing}.",
    }
    for path, reason in reasons.items():
        assert commands.run(*ASKED[:-1], "--attach", path).refusal[0] == reason


def test_a_file_without_permission_is_said_so(
    commands: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As far as the program can tell: root may read any file."""
    secret = tmp_path / "secret.md"
    secret.touch(mode=0)
    opened = Path.open

    def refuse(path: Path, *arguments: Any, **named: Any) -> Any:
        if path == secret:
            raise PermissionError
        return opened(path, *arguments, **named)

    monkeypatch.setattr(Path, "open", refuse)
    told = commands.run(*ASKED[:-1], "--attach", secret).refusal
    assert told == (f"No permission to read {secret}.", "Change its permissions, or choose another file.")


def test_it_needs_a_prompt_with_a_template(commands: Commands) -> None:
    for options in (("--raw", "-p", "Hello"), ("--messages", "a.json"), ()):
        found = commands.run("chat", "-m", "demo", "--attach", "a.txt", *options)
        assert found.code == 2
        assert "--attach" in found.err

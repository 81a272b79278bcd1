"""What a desktop may start the program with."""

from pathlib import Path

import pytest

from specchat.cli.given_files import given_files


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("chat", "model.bin", "-p", "--json"):
        (tmp_path / name).touch()
    (tmp_path / "docs").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    "names", [["gone.gguf"], ["A.GGUF"], ["model.bin"], ["a.gguf", "model.bin", "chat"]], ids=" ".join
)
def test_files(folder: Path, names: list[str]) -> None:
    assert given_files(names) == tuple(folder / name for name in names)


@pytest.mark.parametrize(
    "names",
    [[], ["docs"], ["chat"], ["chat", "a.gguf"], ["-p"], ["--json"], ["-x.gguf"], ["a.gguf", "docs"], ["gone.bin"]],
    ids=" ".join,
)
def test_something_else(names: list[str]) -> None:
    assert given_files(names) == ()

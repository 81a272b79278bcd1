"""What a desktop may start the program with."""

from pathlib import Path

import pytest

from specchat.cli.file_arguments import file_arguments
from specchat.services.models.demo_pair import demo_files


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
    assert file_arguments(names) == tuple(folder / name for name in names)


def test_the_demo(folder: Path) -> None:
    target, draft = demo_files()
    assert file_arguments(["demo"]) == (target, draft)
    assert file_arguments(["demo-target"]) == (target,)
    assert file_arguments(["model.bin", "demo-draft"]) == (folder / "model.bin", draft)


@pytest.mark.parametrize(
    "names",
    [
        ["demo", "docs"],
        ["demo", "--json"],
        ["chat", "demo"],
        ["dmeo"],
        [],
        ["docs"],
        ["chat"],
        ["chat", "a.gguf"],
        ["-p"],
        ["--json"],
        ["-x.gguf"],
        ["a.gguf", "docs"],
        ["gone.bin"],
    ],
    ids=" ".join,
)
def test_something_else(names: list[str]) -> None:
    assert file_arguments(names) == ()

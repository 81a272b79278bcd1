"""What the tests call is installed before they run, where that is possible."""

import os
import re
import sys
from pathlib import Path

import pytest
from programs_for_tests import PACKAGES, ensure

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="for Debian's packages")

TESTS = Path(__file__).parents[1]
LOOKED_FOR = re.compile(r"which\(\"([\w-]+)\"\)")
ALWAYS_THERE = {"sh"}
BROUGHT_BY_THE_USER = {"node"}
"""With packages of its own, which are named in a variable."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """All programs that there are: Debian's tools, which note how they were called."""
    for name, said in (("apt-get", "echo"), ("dpkg-query", "exit 1")):
        tool = tmp_path / name
        tool.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/{name}.called\n{said}\n')
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def add(folder: Path, *programs: str) -> None:
    for program in programs:
        (folder / program).write_text("#!/bin/sh\n")
        (folder / program).chmod(0o755)


def test_each_program_that_a_test_looks_for_is_known() -> None:
    sources = [path.read_text(encoding="utf-8") for path in TESTS.rglob("*.py")]
    named = {name for source in sources for name in LOOKED_FOR.findall(source)}
    assert {"makensis", "desktop-file-validate"} <= named
    assert named - ALWAYS_THERE - BROUGHT_BY_THE_USER <= set(PACKAGES)


def test_what_is_missing_is_installed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    add(folder, *set(PACKAGES) - {"makensis", "desktop-file-validate"})
    ensure()
    install = "install --yes --no-install-recommends desktop-file-utils nsis"
    assert (folder / "apt-get.called").read_text().splitlines() == ["update", install]
    said = "Some tests need desktop-file-validate, makensis; installing desktop-file-utils, nsis ...\n"
    assert "".join(capsys.readouterr()) == said


def test_whoever_may_not_install_is_told_what_to_do(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    add(folder, *set(PACKAGES) - {"makensis"})
    ensure()
    assert not (folder / "apt-get.called").exists()
    assert "".join(capsys.readouterr()) == (
        "Some tests need makensis; install it with: sudo apt-get install nsis\nThese tests are skipped.\n"
    )


def test_where_all_is_there_nothing_is_asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(folder, *PACKAGES)
    ensure()
    assert list(folder.glob("*.called")) == []
    assert "".join(capsys.readouterr()) == ""

"""A mistake of ours ends in a sentence, the rest in the log."""

import argparse
from pathlib import Path

import pytest

from specchat import bootstrap
from specchat.cli import COMMANDS, App


class Broken:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        raise ZeroDivisionError("nothing to divide by")


def test_a_mistake_is_explained_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPECCHAT_HOME", str(tmp_path))
    monkeypatch.setitem(COMMANDS, "broken", ("breaks", Broken))
    assert bootstrap.run(["broken"]) == 1
    said = capsys.readouterr().err
    assert said.splitlines()[0] == "specchat hit an internal error: ZeroDivisionError: nothing to divide by"
    assert said.splitlines()[1].startswith("hint: ")
    assert "Traceback" not in said
    assert "Traceback" in (tmp_path / "logs" / "specchat.log").read_text()

from pathlib import Path

import pytest

from specchat.services.program.redaction import redact_names


@pytest.fixture(autouse=True)
def al(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/al"))
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(name, "Al Gore")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("/home/al/x and /home/al", "~/x and ~"),
        ("/home/alice/x", "/home/alice/x"),
        ("/media/al/STICK/x", "/media/user/STICK/x"),
        ("/mnt/home/al/x", "/mnt/home/user/x"),
        ("C:\\Users\\Al Gore\\x", "C:\\Users\\user\\x"),
        ("C:\\Users\\ALGORE~1\\Temp\\x", "C:\\Users\\user\\Temp\\x"),
        ("loaded from /media/My Stick/a b.gguf (version GGUF V3)", "loaded from a b.gguf (version GGUF V3)"),
        ("D:\\\\models\\\\a.gguf", "a.gguf"),
        ("small talk, GGUF and al", "small talk, GGUF and al"),
    ],
)
def test_neither_names_nor_folders_of_models(text: str, left: str) -> None:
    assert redact_names(text) == left

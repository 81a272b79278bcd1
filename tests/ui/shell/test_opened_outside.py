"""A program that is opened, while a file takes what is said on stderr."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="programs inherit nothing there")

OPEN = """
import os, sys
from pathlib import Path
from PySide6.QtCore import QObject, QProcess, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from specchat.store.stderr_capture import capture_stderr
from specchat.ui.desktop_services import open_url

class Desktop(QObject):
    @Slot(QUrl)
    def open(self, url):
        QProcess.execute("sh", ["-c", "echo theirs >&2"])

desktop = Desktop()
QDesktopServices.setUrlHandler("https", desktop, "open")
with capture_stderr(Path(sys.argv[1])):
    os.write(2, b"before, ")
    assert open_url("https://example.org")
    os.write(2, b"after")
os.write(2, b"the end")
"""


def test_it_does_not_speak_for_us(tmp_path: Path) -> None:
    kept = tmp_path / "kept.txt"
    subprocess.run(
        [sys.executable, "-c", OPEN, str(kept)], env=os.environ, stderr=subprocess.DEVNULL, check=True, timeout=60
    )
    assert kept.read_text() == "before, after"

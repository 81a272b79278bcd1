import os
import sys
from pathlib import Path

import pytest

from specchat.services.chat.document_files import detect_document
from specchat.services.chat.text_files import FileRefusal, read_text_file


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
def test_pipes_and_devices_are_not_read(tmp_path: Path) -> None:
    pipe, device = tmp_path / "pipe.html", tmp_path / "device.html"
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    for path in (pipe, device):
        assert detect_document(path) is None
        assert read_text_file(path) is FileRefusal.UNREADABLE

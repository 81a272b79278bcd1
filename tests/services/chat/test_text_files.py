import os
import sys
from pathlib import Path

import pytest

from specchat.services.chat.document_files import DocumentKind, detect_document
from specchat.services.chat.text_files import FileRefusal, read_text_file


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
def test_pipes_and_devices_are_not_read(tmp_path: Path) -> None:
    pipe, device = tmp_path / "pipe.html", tmp_path / "device.html"
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    for path in (pipe, device):
        assert detect_document(path) is None
        assert read_text_file(path) is FileRefusal.UNREADABLE


@pytest.mark.parametrize("name", ["prices.xlsx", "talk.pptx"])
def test_other_documents_of_office_are_known_by_their_names(tmp_path: Path, name: str) -> None:
    """Some programs begin them like any other archive; the reader then says what to do."""
    (tmp_path / name).write_bytes(b"PK\x03\x04" + bytes(26) + b"docProps/app.xml")
    assert detect_document(tmp_path / name) is DocumentKind.DOCX

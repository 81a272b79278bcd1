from pathlib import Path

import pytest
from support.parts import LICENCE, PARTS, write_parts

from specchat.domain.errors import UserError
from specchat.services.program.licences import LicenceEntry, Licences

QT = next(part for part in PARTS if part.name == "Qt")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_parts(tmp_path / "licences", *PARTS)


def test_specchat_comes_first_then_the_others_by_name(folder: Path) -> None:
    parts = Licences(folder).list_entries()
    names = [part.name for part in parts]
    assert names[0] == "specchat"
    assert names[1:] == sorted(names[1:], key=str.casefold)
    assert QT in parts


def test_texts(folder: Path) -> None:
    licences = Licences(folder)
    assert licences.text(PARTS[0]) == LICENCE.strip("\n")
    assert licences.text(QT) == "lgpl.txt\n========\n\nThe text of lgpl.txt\n\ngpl.txt\n=======\n\nThe text of gpl.txt"


def test_new_pages_and_old_encodings(folder: Path) -> None:
    (folder / "lgpl.txt").write_bytes(b"one\n\f\ntwo \xe4\n")
    assert Licences(folder).text(LicenceEntry("Qt", texts=("lgpl.txt",))) == "one\n\ntwo \ufffd"


def test_without_a_list_nothing_is_shipped(tmp_path: Path) -> None:
    assert Licences(tmp_path / "licences").list_entries() == ()


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff", b"[]", b"{}", b'{"parts": {}}', b'{"parts": [{"version": "1"}]}', b'{"parts": [7]}', b"[" * 100_000],
)
def test_a_damaged_list(folder: Path, content: bytes) -> None:
    (folder / "licences.json").write_bytes(content)
    with pytest.raises(UserError) as caught:
        Licences(folder).list_entries()
    assert (caught.value.message, caught.value.hint) == (
        "Couldn't read the list of licenses.",
        "Reinstall specchat.",
    )


@pytest.mark.parametrize("name", ["gone.txt", "../secret.txt", "", "."])
def test_a_text_that_is_not_beside_the_list(folder: Path, name: str) -> None:
    (folder.parent / "secret.txt").write_text("secret")
    with pytest.raises(UserError, match="Couldn't read the license of Qt"):
        Licences(folder).text(LicenceEntry("Qt", texts=(name,)))


def test_more_may_be_told_of_a_part(folder: Path) -> None:
    (folder / "licences.json").write_text('{"parts": [{"name": "Qt", "author": "many"}], "made": "today"}')
    assert Licences(folder).list_entries() == [LicenceEntry("Qt")]

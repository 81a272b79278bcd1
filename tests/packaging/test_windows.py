import os
import shutil
import struct
import zipfile
from pathlib import Path

import app_icons
import checksums
import contents
import pytest
import visual_cpp
import windows_downloads
import windows_version
from PySide6.QtGui import QImage
from shell import SetupError

NUMBERS = {"0.1.0": (0, 1, 0, 0), "0.2.0rc1": (0, 2, 0, 0), "1.2": (1, 2, 0, 0), "10.20.30.dev4": (10, 20, 30, 0)}
needs_nsis = pytest.mark.skipif(shutil.which("makensis") is None, reason="NSIS is not installed")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    folder = tmp_path / "dist und mehr" / "specchat"
    resources = folder / "_internal" / "specchat" / "resources"
    resources.mkdir(parents=True)
    (folder / "specchat.exe").write_bytes(b"window")
    (folder / "specchat-cli.exe").write_bytes(b"commands")
    (resources / "größe.txt").write_text("large")
    for path in [folder, *folder.rglob("*")]:
        os.utime(path, (1_700_000_000, 1_700_000_000))
    return folder


@needs_nsis
def test_both_downloads_and_their_checksums(program: Path) -> None:
    installer, portable = windows_downloads.make(program, "0.1.0")
    assert installer.name == "specchat-0.1.0-windows-x86_64-setup.exe"
    image = installer.read_bytes()
    assert image.startswith(b"MZ")
    for word in ("specchat 0.1.0 setup", windows_version.PUBLISHER):
        assert word.encode("utf-16-le") in image
    assert portable.name == "specchat-0.1.0-windows-x86_64-portable.zip"
    names = [line.split("  ")[1] for line in (program.parent / "SHA256SUMS").read_text().splitlines()]
    assert names == [installer.name, portable.name]
    assert windows_downloads.make(program, "0.1.0")[0].read_bytes() == image


@needs_nsis
@pytest.mark.skipif(os.name == "nt", reason="signs with a shell script")
def test_what_is_signed(program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "signed"
    signer = tmp_path / "sign"
    signer.write_text(f'#!/bin/sh\nfor file; do :; done\ntest "$1" = --now && basename "$file" >> "{log}"\n')
    signer.chmod(0o755)
    monkeypatch.setenv("SPECCHAT_SIGN_COMMAND", f"{signer} --now")
    installer, _ = windows_downloads.make(program, "0.1.0")
    first, second, uninstaller, last = log.read_text().splitlines()
    assert [first, second, last] == ["specchat-cli.exe", "specchat.exe", installer.name]
    assert uninstaller not in (first, second, last)
    monkeypatch.setenv("SPECCHAT_SIGN_COMMAND", "false")
    with pytest.raises(SetupError, match=r"specchat-cli\.exe could not be signed"):
        windows_downloads.make(program, "0.1.0")


def test_the_portable_archive_is_the_same_whenever_it_is_made(program: Path, tmp_path: Path) -> None:
    date = (2026, 11, 22, 1, 2, 4)
    archives = [tmp_path / "1.zip", tmp_path / "2.zip"]
    for archive in archives:
        windows_downloads._make_portable(archive, program, "0.1.0", date)
        os.utime(program / "specchat.exe")
    assert archives[0].read_bytes() == archives[1].read_bytes()
    with zipfile.ZipFile(archives[0]) as packed:
        assert packed.testzip() is None
        assert packed.namelist() == [
            "specchat-0.1.0/_internal/specchat/resources/größe.txt",
            "specchat-0.1.0/portable.txt",
            "specchat-0.1.0/specchat-cli.exe",
            "specchat-0.1.0/specchat.exe",
        ]
        assert {member.date_time for member in packed.infolist()} == {date}
        assert packed.read("specchat-0.1.0/specchat.exe") == b"window"


def test_checksums(tmp_path: Path) -> None:
    (tmp_path / "ä.zip").write_bytes(b"abc")
    checksums.write_checksums([tmp_path / "ä.zip"])
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert (tmp_path / "SHA256SUMS").read_bytes() == f"{digest}  ä.zip\n".encode()


def test_the_icon_has_all_sizes(tmp_path: Path) -> None:
    file = tmp_path / "specchat.ico"
    app_icons.write_ico(file)
    icon = file.read_bytes()
    assert struct.unpack_from("<HHH", icon) == (0, 1, len(app_icons.ICO_SIZES))
    for number, size in enumerate(app_icons.ICO_SIZES):
        width, height, *_, depth, length, place = struct.unpack_from("<BBBBHHII", icon, 6 + 16 * number)
        assert (width or 256, height or 256, depth) == (size, size, 32)
        image = QImage.fromData(icon[place : place + length])
        assert image.width() == image.height() == size
        assert image.hasAlphaChannel()
        assert image.pixelColor(size // 3, size // 3).name() == "#4377e8"
        assert image.pixelColor(size - 1, size - 1).alpha() == 0
    assert QImage(str(file)).width() in app_icons.ICO_SIZES
    app_icons.write_ico(tmp_path / "again.ico")
    assert (tmp_path / "again.ico").read_bytes() == icon


def test_the_picture_of_the_installer(tmp_path: Path) -> None:
    app_icons.write_side_picture(tmp_path / "side.bmp")
    picture = QImage(str(tmp_path / "side.bmp"))
    assert (picture.width(), picture.height()) == (328, 628)
    assert not picture.hasAlphaChannel()


@pytest.mark.parametrize("version", NUMBERS)
def test_versions_in_four_numbers(version: str) -> None:
    assert windows_version.four_numbers(version) == NUMBERS[version]


def test_the_version_resource_is_what_pyinstaller_reads() -> None:
    def kind(name: str) -> object:
        return lambda *values, **named: (name, *values, *named.items())

    kinds = ("VSVersionInfo", "FixedFileInfo", "StringFileInfo", "StringTable", "StringStruct", "VarFileInfo")
    text = windows_version.version_resource("0.1.0")
    assert text.isascii()
    _, (_, fixed), (_, parts) = eval(text, {name: kind(name) for name in (*kinds, "VarStruct")})
    assert fixed == ("FixedFileInfo", ("filevers", (0, 1, 0, 0)), ("prodvers", (0, 1, 0, 0)))
    (_, ((_, language, strings),)), (_, ((_, _, translation),)) = parts
    assert language == f"{translation[0]:04x}{translation[1]:04x}"
    assert ("StringStruct", "FileDescription", "specchat") in strings
    assert ("StringStruct", "ProductVersion", "0.1.0") in strings


def make_files(folder: Path, *names: str) -> None:
    for name in names:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(str(folder.name))


def test_one_runtime_for_all(tmp_path: Path) -> None:
    studio, inside = tmp_path / "14.44.35112", tmp_path / "_internal"
    make_files(studio / "x64", "Microsoft.VC143.CRT/msvcp140.dll", "Microsoft.VC143.CRT/vcruntime140_1.dll")
    make_files(studio / "x64", "Microsoft.VC143.CRT/vccorlib140.dll", "Microsoft.VC143.OpenMP/vcomp140.dll")
    make_files(studio / "x86", "Microsoft.VC143.CRT/msvcp140.dll")
    make_files(inside, "VCRUNTIME140.dll", "PySide6/MSVCP140.dll", "PySide6/Qt6Core.dll", "shiboken6/msvcp140_1.dll")
    environment = {"VCToolsRedistDir": f"{studio}/", "VSCMD_ARG_TGT_ARCH": "x64"}
    visual_cpp.place(visual_cpp.libraries(environment), inside)
    found = {str(path.relative_to(inside)): path.read_text() for path in inside.rglob("*.dll")}
    x64 = dict.fromkeys(("msvcp140.dll", "vcomp140.dll", "vcruntime140_1.dll"), "x64")
    assert found == {**x64, str(Path("PySide6/Qt6Core.dll")): "_internal"}
    assert visual_cpp.version(environment) == "14.44.35112"


def test_no_compiler() -> None:
    with pytest.raises(SetupError, match="x64 Native Tools"):
        visual_cpp.libraries({})


@pytest.mark.parametrize(
    ("name", "is_shipped"),
    [
        (r"PySide6\plugins\platforms\qwindows.dll", True),
        (r"PySide6\plugins\platforms\qoffscreen.dll", True),
        (r"PySide6\plugins\platforms\qdirect2d.dll", False),
        (r"PySide6\plugins\styles\qmodernwindowsstyle.dll", True),
        (r"PySide6\plugins\imageformats\qico.dll", True),
        (r"PySide6\plugins\imageformats\qpdf.dll", False),
        (r"PySide6\plugins\platforminputcontexts\qtvirtualkeyboardplugin.dll", False),
        (r"PySide6\opengl32sw.dll", False),
        (r"PySide6\Qt6Core.dll", True),
        (r"PySide6\Qt6Qml.dll", False),
        (r"PySide6\translations\qtbase_de.qm", True),
        (r"PySide6\translations\qtbase_fr.qm", False),
        (r"specchat\resources\translations\specchat_de.qm", True),
        (r"llama_cpp\lib\llama.dll", False),
    ],
)
def test_what_is_shipped(name: str, is_shipped: bool) -> None:
    assert bool(contents.shipped([(name, "", "BINARY")])) is is_shipped

import os
import plistlib
import struct
import sys
from pathlib import Path
from typing import Any

import app_icons
import contents
import mac_downloads
import pytest
from PySide6.QtGui import QImage
from shell import SetupError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="with links and shell scripts")

MACH_O, FAT = b"\xcf\xfa\xed\xfe" + b"." * 8 + struct.pack("<I", 6), b"\xca\xfe\xba\xbe...."
PROGRAM = MACH_O[:12] + struct.pack("<I", 2)
ACCEPTED, REFUSED = '{"id": "1-2", "status": "Accepted"}', '{"id": "1-2", "status": "Invalid"}'


@pytest.fixture
def program(tmp_path: Path) -> Path:
    app = tmp_path / "dist" / "specchat.app"
    frameworks = app / "Contents" / "Frameworks"
    files = {
        "Contents/Info.plist": b"<plist/>",
        "Contents/MacOS/specchat": PROGRAM,
        "Contents/Frameworks/llama_cpp/lib/ggml-rpc-server": PROGRAM,
        "Contents/Resources/specchat/resources/demo.gguf": b"GGUF",
        "Contents/Frameworks/llama_cpp/lib/libllama.dylib": MACH_O,
        "Contents/Frameworks/llama_cpp/lib/libggml-metal.so": MACH_O,
        "Contents/Frameworks/PySide6/Qt/lib/QtCore.framework/Versions/A/QtCore": FAT,
        "Contents/Frameworks/PySide6/Qt/lib/QtCore.framework/Versions/A/Resources/Info.plist": b"<plist/>",
    }
    for name, content in files.items():
        (app / name).parent.mkdir(parents=True, exist_ok=True)
        (app / name).write_bytes(content)
    (frameworks / "specchat").symlink_to("../Resources/specchat")
    (frameworks / "QtCore").symlink_to("PySide6/Qt/lib/QtCore.framework/Versions/A/QtCore")
    (frameworks / "PySide6/Qt/lib/QtCore.framework/Versions/Current").symlink_to("A")
    (frameworks / "PySide6/Qt/lib/QtCore.framework/QtCore").symlink_to("Versions/Current/QtCore")
    return app


class AppleTools:
    """Programs of these names, which write down what they are asked."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._log = folder / "log"
        self.set("codesign", "")
        self.set("hdiutil", 'for image; do :; done; touch "$image"')
        self.set("xcrun", f"test $2 != submit || echo '{ACCEPTED}'")

    def set(self, name: str, commands: str) -> None:
        tool = self._folder / name
        tool.write_text(f'#!/bin/sh\necho "{name} $*" >> "{self._log}"\n{commands}\n')
        tool.chmod(0o755)

    def calls(self, name: str) -> list[str]:
        lines = self._log.read_text().splitlines() if self._log.exists() else []
        return [line for line in lines if line.startswith(f"{name} ")]


@pytest.fixture
def apple(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppleTools:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    for name in ("SPECCHAT_SIGN_IDENTITY", "SPECCHAT_NOTARY"):
        monkeypatch.delenv(name, raising=False)
    return AppleTools(folder)


def test_what_contains_is_signed_after_what_it_contains(program: Path) -> None:
    signed = [
        str(path.relative_to(program / "Contents" / "Frameworks")) for path in mac_downloads.code_inside_out(program)
    ]
    assert signed == [
        "PySide6/Qt/lib/QtCore.framework/Versions/A/QtCore",
        "PySide6/Qt/lib/QtCore.framework",
        "llama_cpp/lib/ggml-rpc-server",
        "llama_cpp/lib/libggml-metal.so",
        "llama_cpp/lib/libllama.dylib",
    ]


def test_signed_for_nobody(program: Path, apple: AppleTools) -> None:
    (image,) = mac_downloads.make(program, "0.1.0")
    assert image.name == f"specchat-0.1.0-macos-{os.uname().machine}.dmg"
    *inside, verified = apple.calls("codesign")
    assert len(inside) == 6
    assert all(call.startswith("codesign --force --sign - --timestamp=none --options runtime ") for call in inside)
    with_rights = [call.rpartition(f" --entitlements {mac_downloads.ENTITLEMENTS} ")[2] for call in inside]
    assert [call for call in with_rights if not call.startswith("codesign ")] == [
        str(program / "Contents/Frameworks/llama_cpp/lib/ggml-rpc-server"),
        str(program),
    ]
    assert verified.startswith("codesign --verify ")
    assert apple.calls("xcrun") == []
    assert (image.parent / "SHA256SUMS").read_text().endswith(f"  {image.name}\n")
    assert {path.name for path in image.parent.iterdir()} == {"SHA256SUMS", "specchat.app", image.name}


def test_signed_and_notarised(program: Path, apple: AppleTools, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPECCHAT_SIGN_IDENTITY", "Developer ID Application: Jo (X1)")
    monkeypatch.setenv("SPECCHAT_NOTARY", "--keychain-profile 'my profile'")
    (image,) = mac_downloads.make(program, "0.1.0")
    calls = apple.calls("codesign")
    assert calls[-1] == f"codesign --force --sign Developer ID Application: Jo (X1) --timestamp {image}"
    submitted, stapled = apple.calls("xcrun")
    assert submitted.startswith(f"xcrun notarytool submit {image} --keychain-profile my profile --wait")
    assert stapled == f"xcrun stapler staple {image}"


def test_refused_by_apple(program: Path, apple: AppleTools, monkeypatch: pytest.MonkeyPatch) -> None:
    apple.set("xcrun", f"case $2 in submit) echo '{REFUSED}';; log) echo 'libllama.dylib is not signed';; esac")
    monkeypatch.setenv("SPECCHAT_SIGN_IDENTITY", "Developer ID")
    monkeypatch.setenv("SPECCHAT_NOTARY", "--keychain-profile p")
    with pytest.raises(SetupError, match=r"libllama\.dylib is not signed\nApple did not notarize it"):
        mac_downloads.make(program, "0.1.0")
    assert apple.calls("xcrun")[-1] == "xcrun notarytool log 1-2 --keychain-profile p"


def test_only_what_is_signed_can_be_notarised(
    program: Path, apple: AppleTools, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPECCHAT_NOTARY", "--keychain-profile p")
    with pytest.raises(SetupError, match="SPECCHAT_SIGN_IDENTITY"):
        mac_downloads.make(program, "0.1.0")
    assert apple.calls("codesign") == []


def test_a_disturbed_hdiutil_is_asked_again(program: Path, apple: AppleTools, tmp_path: Path) -> None:
    mark = tmp_path / "failed"
    apple.set("hdiutil", f'for image; do :; done; test -e {mark} && touch "$image" || {{ touch {mark}; exit 1; }}')
    mac_downloads.make(program, "0.1.0")
    assert len(apple.calls("hdiutil")) == 2
    apple.set("hdiutil", "echo Resource busy; exit 1")
    with pytest.raises(SetupError, match="Resource busy"):
        mac_downloads.make(program, "0.1.0")


def test_the_image_holds_the_program_and_the_way_to_install_it(
    program: Path, apple: AppleTools, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    apple.set("hdiutil", f'for image; do source=$last; last=$image; done; cp -a "$source" "{kept}"; touch "$image"')
    mac_downloads.make(program, "0.1.0")
    assert (kept / "Applications").readlink() == Path("/Applications")
    assert (kept / "specchat.app/Contents/Frameworks/specchat").readlink() == Path("../Resources/specchat")
    (command,) = apple.calls("hdiutil")
    assert "-volname specchat -fs HFS+ -format ULMO" in command


def test_rights() -> None:
    rights = plistlib.loads(mac_downloads.ENTITLEMENTS.read_bytes())
    assert rights == {"com.apple.security.cs.disable-library-validation": True}


def test_the_description_of_the_program() -> None:
    description: dict[str, Any] = contents.info_plist("0.2.0rc1")
    assert plistlib.loads(plistlib.dumps(description)) == description
    assert description["CFBundleShortVersionString"] == "0.2.0rc1"
    assert description["CFBundleVersion"] == "0.2.0"
    assert description["CFBundleLocalizations"] == ["en", "de"]
    (model,) = description["CFBundleDocumentTypes"]
    (kind,) = description["UTImportedTypeDeclarations"]
    assert model["LSItemContentTypes"] == [kind["UTTypeIdentifier"]]
    assert model["LSHandlerRank"] == "Alternate"
    assert kind["UTTypeTagSpecification"] == {"public.filename-extension": ["gguf"]}


def test_the_icon_has_all_sizes(tmp_path: Path) -> None:
    file = tmp_path / "specchat.icns"
    app_icons.write_icns(file)
    icon = file.read_bytes()
    assert struct.unpack_from(">4sI", icon) == (b"icns", len(icon))
    place, found = 8, {}
    while place < len(icon):
        name, length = struct.unpack_from(">4sI", icon, place)
        found[name] = QImage.fromData(icon[place + 8 : place + length]).width()
        place += length
    assert found == app_icons.ICNS_SIZES
    assert found[b"ic10"] == 1024
    app_icons.write_icns(tmp_path / "again.icns")
    assert (tmp_path / "again.icns").read_bytes() == icon


@pytest.mark.parametrize(
    ("name", "is_shipped"),
    [
        ("PySide6/Qt/plugins/platforms/libqcocoa.dylib", True),
        ("PySide6/Qt/plugins/styles/libqmacstyle.dylib", True),
        ("PySide6/Qt/plugins/imageformats/libqmacheif.dylib", True),
        ("PySide6/Qt/plugins/imageformats/libqpdf.dylib", False),
        ("PySide6/Qt/lib/QtCore.framework/Versions/A/QtCore", True),
        ("PySide6/Qt/lib/QtPdf.framework/Versions/A/QtPdf", False),
        ("PySide6/Qt/lib/QtPdf.framework/Resources", False),
        ("QtPdf", False),
        ("QtQmlModels", False),
        ("QtGui", True),
        ("PySide6/QtGui.abi3.so", True),
    ],
)
def test_what_is_shipped(name: str, is_shipped: bool) -> None:
    assert bool(contents.shipped([(name, "", "BINARY")])) is is_shipped

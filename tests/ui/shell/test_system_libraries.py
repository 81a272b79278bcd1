import importlib.util
import re
import sys
from pathlib import Path

import pytest

from specchat.ui.start.system_libraries import (
    BASE_LIBRARIES,
    PLATFORM_LIBRARIES,
    Library,
    install_command,
    library_for_file,
    missing_libraries,
)

TWO = (library_for_file("libxcb-icccm.so.4"), library_for_file("libEGL.so.1"))
EVERYWHERE = re.compile(r"lib(c|m|dl|pthread|rt|resolv|stdc\+\+|gcc_s)\.so|ld-linux")
OF_QT = re.compile(r"lib(Qt6|icu)")


@pytest.mark.parametrize(
    ("facts", "command"),
    [
        ('PRETTY_NAME="Debian GNU/Linux 13"\nID=debian\n', "apt-get install libegl1 libxcb-icccm4"),
        ('NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n', "apt-get install libegl1 libxcb-icccm4"),
        ('ID=linuxmint\nID_LIKE="ubuntu debian"\n', "apt-get install libegl1 libxcb-icccm4"),
        ('ID=fedora\nVARIANT=""\n', "dnf install 'libEGL.so.1()(64bit)' 'libxcb-icccm.so.4()(64bit)'"),
        (
            'ID="rocky"\nID_LIKE="rhel centos fedora"\n',
            "dnf install 'libEGL.so.1()(64bit)' 'libxcb-icccm.so.4()(64bit)'",
        ),
        (
            'ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"\n',
            "zypper install 'libEGL.so.1()(64bit)' 'libxcb-icccm.so.4()(64bit)'",
        ),
        ("ID=arch\n", "pacman -S libglvnd xcb-util-wm"),
        ("ID=manjaro\nID_LIKE=arch\n", "pacman -S libglvnd xcb-util-wm"),
        ("ID=alpine\n", "apk add so:libEGL.so.1 so:libxcb-icccm.so.4"),
    ],
)
def test_one_command_for_each_distribution(tmp_path: Path, facts: str, command: str) -> None:
    (tmp_path / "os-release").write_text(facts)
    assert install_command(TWO, tmp_path / "os-release").removeprefix("sudo ") == command


def test_no_command_where_nothing_is_known(tmp_path: Path) -> None:
    os_release = tmp_path / "os-release"
    assert install_command(TWO, os_release) == ""
    os_release.write_text("ID=plan9\n")
    assert install_command(TWO, os_release) == ""
    os_release.write_text("ID=debian\n")
    assert install_command((*TWO, Library("libunheard.so.1")), os_release) == ""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere Qt brings all it needs")
class TestOnLinux:
    def test_nothing_is_missing_where_these_tests_run(self) -> None:
        assert missing_libraries() == []

    @pytest.mark.parametrize("platform", ["", "xcb", "wayland"])
    def test_all_that_qt_needs_is_known(self, platform: str) -> None:
        found = importlib.util.find_spec("PySide6")
        assert found is not None
        folder = Path(found.origin or "").parent / "Qt"
        files = [folder / f"lib/libQt6{part}.so.6" for part in ("Core", "DBus", "Gui", "Network", "Svg", "Widgets")]
        if platform:
            files = [folder / f"plugins/platforms/libq{platform}.so"]
        known = {one.file for one in (*BASE_LIBRARIES, *PLATFORM_LIBRARIES.get(platform, ()))}
        needed = set().union(*(_needed(file) for file in files))
        assert {name for name in needed if not EVERYWHERE.match(name) and not OF_QT.match(name)} <= known


def _needed(file: Path) -> set[str]:
    """The names in its table of strings that look like libraries; its own is among them."""
    names = re.findall(rb"\0(lib[\w.+-]+\.so(?:\.\d+)*)(?=\0)", file.read_bytes())
    return {name.decode() for name in names} - {file.name}

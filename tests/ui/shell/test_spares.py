"""What the packaged program brings for a system that lacks it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QFontDatabase

from specchat.ui.start.spare_fonts import add_spare_fonts
from specchat.ui.start.spare_libraries import load_spares, spare_folder

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is taken from the system")

LOADED = """
import ctypes, sys
from pathlib import Path
from specchat.ui.start.spare_libraries import load_spares
print(load_spares(Path(sys.argv[1])))
ctypes.CDLL("libspare_user.so.1").twice_the_spare
"""
WITHOUT_FONTS = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from specchat.ui.start.spare_fonts import add_spare_fonts, has_usable_font
application = QApplication([])
before = has_usable_font()
add_spare_fonts(Path(sys.argv[1]))
print(before, has_usable_font())
"""


def compiled(folder: Path, name: str, code: str, *options: str) -> None:
    source = folder / f"{name}.c"
    source.write_text(code)
    library = folder / f"lib{name}.so.1"
    command: list[str | Path] = [
        "cc",
        "-shared",
        "-fPIC",
        f"-Wl,-soname,{library.name}",
        source,
        "-o",
        library,
        *options,
    ]
    subprocess.run(command, check=True)
    source.unlink()


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no compiler")
def test_libraries_that_need_each_other(tmp_path: Path) -> None:
    """Whatever their names say of the order, and though none is where a system keeps its own."""
    compiled(tmp_path, "spare_zero", "int spare(void) { return 21; }")
    needed = ["-L", str(tmp_path), "-l:libspare_zero.so.1"]
    compiled(tmp_path, "spare_user", "int spare(void); int twice_the_spare(void) { return 2 * spare(); }", *needed)
    done = subprocess.run([sys.executable, "-c", LOADED, tmp_path], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"


def test_what_the_system_has_is_not_loaded_again(tmp_path: Path) -> None:
    (tmp_path / "libz.so.1").write_bytes(b"no library")
    assert not load_spares(tmp_path)


def test_a_damaged_spare_is_no_help(tmp_path: Path) -> None:
    (tmp_path / "libnowhere_else.so.1").write_bytes(b"no library")
    assert not load_spares(tmp_path)


def test_a_checkout_has_none() -> None:
    assert spare_folder() is None
    assert not load_spares(None)


def some_font() -> Path:
    """One with Latin letters, if there is one."""
    found = sorted(Path("/usr/share/fonts").rglob("*.ttf"), key=lambda file: ("Fallback" in file.name, file.name))
    if not found:
        pytest.skip("this system has no font to try it with")
    return found[0]


def test_fonts_where_there_are_none(tmp_path: Path) -> None:
    (tmp_path / "fonts").mkdir()
    shutil.copy(some_font(), tmp_path / "fonts")
    nothing = tmp_path / "fonts.conf"
    nothing.write_text("<fontconfig></fontconfig>")
    environment = {"QT_QPA_PLATFORM": "offscreen", "FONTCONFIG_FILE": str(nothing), "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_FONTS, tmp_path], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False True"


@pytest.mark.usefixtures("qapp")
def test_fonts_of_the_system_are_enough(tmp_path: Path) -> None:
    (tmp_path / "fonts").mkdir()
    (tmp_path / "fonts" / "broken.ttf").write_bytes(b"no font")
    before = QFontDatabase.families()
    add_spare_fonts(tmp_path)
    assert QFontDatabase.families() == before

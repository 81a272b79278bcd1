import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from debian_package import fill
from linux_tree import ICON_SIZES, METAINFO, desktop_files, drawn_icon
from PySide6.QtGui import QImage
from trial.desktop_entry import command, value

from specchat import __version__
from specchat.ui.start.application import NAME

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="for Linux desktops")

CHRISTMAS = 1_798_156_800


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree") / "share"
    desktop_files(folder, __version__, CHRISTMAS)
    return folder


def test_the_same_bytes_each_time(share: Path, tmp_path: Path) -> None:
    desktop_files(tmp_path, __version__, CHRISTMAS)
    files = [path.relative_to(share) for path in sorted(share.rglob("*")) if path.is_file()]
    assert len(files) == len(ICON_SIZES) + 7
    for file in files:
        assert (tmp_path / file).read_bytes() == (share / file).read_bytes()


@pytest.mark.parametrize("size", ICON_SIZES)
def test_an_icon_in_each_size(share: Path, size: int) -> None:
    icon = QImage(str(share / f"icons/hicolor/{size}x{size}/apps/specchat.png"))
    assert (icon.width(), icon.height()) == (size, size)
    assert b"tIME" not in (share / f"icons/hicolor/{size}x{size}/apps/specchat.png").read_bytes()


@pytest.mark.parametrize("size", ICON_SIZES)
def test_both_bubbles_of_an_icon_are_apart_and_end_where_pixels_do(size: int) -> None:
    icon = drawn_icon(size)
    row = [icon.pixelColor(x, size * 3 // 8).alpha() for x in range(size)]
    inside = row[row.index(255) : size - row[::-1].index(255)]
    assert 0 in inside
    assert all(alpha in (0, 255) for alpha in row) or size > 32


def test_the_entry_starts_the_program_with_a_file(share: Path) -> None:
    entry = share / "applications" / f"{NAME}.desktop"
    assert command(entry) == ["specchat"]
    assert command(entry, "/models/a b.gguf", "/b") == ["specchat", "/models/a b.gguf", "/b"]
    assert value(entry, "MimeType") == "application/x-gguf;"
    assert (share / f"icons/hicolor/scalable/apps/{value(entry, 'Icon')}.svg").is_file()


def test_the_type_is_told_by_name_and_by_first_bytes(share: Path) -> None:
    spaces = {"": "http://www.freedesktop.org/standards/shared-mime-info"}
    kind = ElementTree.parse(share / "mime/packages/specchat.xml").find("mime-type", spaces)
    assert kind is not None
    assert kind.get("type") == "application/x-gguf"
    assert [glob.get("pattern") for glob in kind.iterfind("glob", spaces)] == ["*.gguf"]
    assert [match.get("value") for match in kind.iterfind("magic/match", spaces)] == ["GGUF"]


def test_bash_completes_the_program(share: Path) -> None:
    """Its loader reads the file of this name at the first Tab."""
    program = f'specchat() {{ "{sys.executable}" -m specchat "$@"; }}'
    script = share / "bash-completion" / "completions" / "specchat"
    bash = ["bash", "-ec", f'{program}; source "{script}"; complete -p specchat']
    assert subprocess.run(bash, check=True, capture_output=True, text=True).stdout == "complete -F _specchat specchat\n"


def in_zsh(folder: Path) -> str:
    """At the first Tab the file's text becomes the function of its name."""
    program = f'specchat() {{ "{sys.executable}" -m specchat "$@"; }}'
    script = f'{program}; fpath+=("{folder}"); autoload -U compinit; compinit -D; echo $_comps[specchat]; _specchat'
    zsh = subprocess.run(["zsh", "-fc", f"{script}; functions _specchat"], check=False, capture_output=True, text=True)
    return zsh.stdout


@pytest.mark.skipif(shutil.which("zsh") is None, reason="needs zsh")
def test_zsh_completes_the_program(share: Path) -> None:
    told = in_zsh(share / "zsh" / "site-functions")
    assert told.startswith("_specchat\n")
    assert "completion --models" in told


@pytest.mark.skipif(not Path("/etc/debian_version").exists(), reason="for Debian's zsh")
@pytest.mark.skipif(shutil.which("zsh") is None, reason="needs zsh")
def test_debians_zsh_looks_where_the_package_has_it(tmp_path: Path) -> None:
    program, root = tmp_path / "specchat", tmp_path / "root"
    program.mkdir()
    fill(root, program, __version__, CHRISTMAS)
    (script,) = root.rglob("_specchat")
    zsh = subprocess.run(["zsh", "-fc", "print -l $fpath"], check=True, capture_output=True, text=True)
    assert f"/{script.parent.relative_to(root)}" in zsh.stdout.splitlines()


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
def test_fish_completes_the_program(share: Path) -> None:
    program = f"function specchat; {sys.executable} -m specchat $argv; end"
    script = share / "fish" / "vendor_completions.d" / "specchat.fish"
    fish = ["fish", "--no-config", "-c", f"{program}; source '{script}'; complete -C 'specchat insp'"]
    assert subprocess.run(fish, check=True, capture_output=True, text=True).stdout == "inspect\n"


def test_the_description_names_this_version_and_its_day(share: Path) -> None:
    releases = ElementTree.parse(share / "metainfo" / METAINFO).findall("releases/release")
    assert [dict(release.attrib) for release in releases] == [{"version": __version__, "date": "2026-12-25"}]


@pytest.mark.parametrize(
    ("validator", "file"),
    [
        (["desktop-file-validate"], f"applications/{NAME}.desktop"),
        (["appstreamcli", "validate", "--no-net", "--pedantic"], f"metainfo/{METAINFO}"),
    ],
    ids=["entry", "description"],
)
def test_validators_find_nothing(share: Path, validator: list[str], file: str) -> None:
    if shutil.which(validator[0]) is None:
        pytest.skip(f"{validator[0]} is not installed")
    found = subprocess.run([*validator, share / file], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr

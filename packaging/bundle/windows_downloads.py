"""The installer for Windows, and an archive that keeps everything beside itself.

Not run on Windows; the tests make both from a dummy program with makensis and read them back. Input:
SPECCHAT_SIGN_COMMAND signs the file whose path is put behind it: `signtool sign /fd SHA256 /tr http://... /td SHA256`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
import zipfile
from pathlib import Path

import app_icons
from checksums import write_checksums
from shell import SetupError, run_silently, say
from windows_version import COPYRIGHT, PUBLISHER, four_numbers

WINDOWS = Path(__file__).resolve().parents[1] / "windows"
PORTABLE_MARK = "portable.txt"
Date = tuple[int, int, int, int, int, int]
_NSIS_FOLDERS = (r"C:\Program Files (x86)\NSIS", r"C:\Program Files\NSIS")


def make(program: Path, version: str) -> list[Path]:
    date = time.gmtime(program.stat().st_mtime)[:6]
    sign = os.environ.get("SPECCHAT_SIGN_COMMAND", "")
    for executable in sorted(program.glob("*.exe")):
        _sign(executable, sign)
    installer = program.parent / f"specchat-{version}-windows-x86_64-setup.exe"
    _make_installer(installer, program, version, sign)
    _sign(installer, sign)
    portable = program.parent / f"specchat-{version}-windows-x86_64-portable.zip"
    _make_portable(portable, program, version, date)
    made = [installer, portable]
    write_checksums(made)
    return made


def _sign(file: Path, command: str) -> None:
    if not command:
        return
    say(f"Signing {file.name} ...")
    # By the shell: what signs is a program with options, in the words of this system.
    if subprocess.run(f'{command} "{file}"', shell=True, check=False).returncode != 0:
        raise SetupError(f"{file.name} could not be signed.")


def _make_installer(installer: Path, program: Path, version: str, sign: str) -> None:
    say(f"Packing {installer.name} ...")
    with tempfile.TemporaryDirectory() as work:
        icon, picture = Path(work) / "specchat.ico", Path(work) / "side.bmp"
        app_icons.write_ico(icon)
        app_icons.write_side_picture(picture)
        os.utime(picture, (program.stat().st_mtime,) * 2)  # the installer keeps the date of what is in it
        definitions = {
            "VERSION": version,
            "NUMBERS": ".".join(map(str, four_numbers(version))),
            "PUBLISHER": PUBLISHER,
            "COPYRIGHT": COPYRIGHT,
            "PROGRAM": program,
            "KILOBYTES": _bytes_of(program) // 1024,
            "ICON": icon,
            "PICTURE": picture,
            "OUTPUT": installer,
        }
        if sign:
            definitions["SIGN"] = sign
        options = [f"-D{name}={value}" for name, value in definitions.items()]
        command: list[str | Path] = [_makensis(), "-V2", "-INPUTCHARSET", "UTF8", *options, WINDOWS / "specchat.nsi"]
        run_silently(command, "makensis could not make the installer.")


def _makensis() -> str:
    found = shutil.which("makensis") or shutil.which("makensis", path=os.pathsep.join(_NSIS_FOLDERS))
    if found is None:
        raise SetupError("Building the installer needs NSIS. Install it first (choco install nsis).")
    return found


def _bytes_of(program: Path) -> int:
    return sum(file.stat().st_size for file in program.rglob("*") if file.is_file())


def _make_portable(archive: Path, program: Path, version: str, date: Date) -> None:
    """The same bytes for the same program."""
    say(f"Packing {archive.name} ...")
    top = f"specchat-{version}"
    files = {f"{top}/{file.relative_to(program).as_posix()}": file for file in program.rglob("*") if file.is_file()}
    files[f"{top}/{PORTABLE_MARK}"] = WINDOWS / PORTABLE_MARK
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, file in sorted(files.items()):
            member = zipfile.ZipInfo(name, date)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 0  # MS-DOS, wherever it is made
            packed.writestr(member, file.read_bytes())

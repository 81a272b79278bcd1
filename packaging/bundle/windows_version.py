"""What Windows shows of the program's files: in their properties, in the task manager, under "Open with"."""

from __future__ import annotations

import re

PUBLISHER = "The specchat authors"
COPYRIGHT = f"Copyright \N{COPYRIGHT SIGN} 2026 {PUBLISHER}"
_ENGLISH, _UNICODE = 0x0409, 1200


def four_numbers(version: str) -> tuple[int, int, int, int]:
    """0.2.0rc1 is 0.2.0.0: Windows knows numbers only."""
    first, second, third, *_ = [*(int(number) for number in re.findall(r"(?:^|\.)(\d+)", version)), 0, 0]
    return first, second, third, 0


def version_resource(version: str) -> str:
    """As PyInstaller reads it."""
    words = {
        "CompanyName": PUBLISHER,
        "FileDescription": "specchat",
        "FileVersion": version,
        "InternalName": "specchat",
        "LegalCopyright": COPYRIGHT,
        "ProductName": "specchat",
        "ProductVersion": version,
    }
    strings = ", ".join(f"StringStruct({name!r}, {value!a})" for name, value in words.items())
    numbers = four_numbers(version)
    return f"""\
VSVersionInfo(
  ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}),
  kids=[
    StringFileInfo([StringTable('{_ENGLISH:04x}{_UNICODE:04x}', [{strings}])]),
    VarFileInfo([VarStruct('Translation', [{_ENGLISH}, {_UNICODE}])]),
  ],
)
"""

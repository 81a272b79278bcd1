"""Lists the Linux libraries that Qt needs and the commands that install them; needs no Qt."""

import ctypes
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

OS_RELEASE = Path("/etc/os-release")


@dataclass(frozen=True, slots=True)
class Library:
    file: str
    debian: str = ""
    arch: str = ""
    """The packages that hold it, where known."""


BASE_LIBRARIES = (
    Library("libEGL.so.1", "libegl1", "libglvnd"),
    Library("libGL.so.1", "libgl1", "libglvnd"),
    Library("libX11.so.6", "libx11-6", "libx11"),
    Library("libxkbcommon.so.0", "libxkbcommon0", "libxkbcommon"),
    Library("libfontconfig.so.1", "libfontconfig1", "fontconfig"),
    Library("libfreetype.so.6", "libfreetype6", "freetype2"),
    Library("libdbus-1.so.3", "libdbus-1-3", "dbus"),
    Library("libglib-2.0.so.0", "libglib2.0-0", "glib2"),
    Library("libgthread-2.0.so.0", "libglib2.0-0", "glib2"),
    Library("libgssapi_krb5.so.2", "libgssapi-krb5-2", "krb5"),
    Library("libbrotlidec.so.1", "libbrotli1", "brotli"),
    Library("libbrotlicommon.so.1", "libbrotli1", "brotli"),
    Library("libzstd.so.1", "libzstd1", "zstd"),
    Library("libz.so.1", "zlib1g", "zlib"),
)
"""Needed whatever the window is shown on."""

PLATFORM_LIBRARIES = {
    "xcb": (
        Library("libxcb.so.1", "libxcb1", "libxcb"),
        Library("libxcb-cursor.so.0", "libxcb-cursor0", "xcb-util-cursor"),
        Library("libxcb-icccm.so.4", "libxcb-icccm4", "xcb-util-wm"),
        Library("libxcb-image.so.0", "libxcb-image0", "xcb-util-image"),
        Library("libxcb-keysyms.so.1", "libxcb-keysyms1", "xcb-util-keysyms"),
        Library("libxcb-randr.so.0", "libxcb-randr0", "libxcb"),
        Library("libxcb-render-util.so.0", "libxcb-render-util0", "xcb-util-renderutil"),
        Library("libxcb-render.so.0", "libxcb-render0", "libxcb"),
        Library("libxcb-shape.so.0", "libxcb-shape0", "libxcb"),
        Library("libxcb-shm.so.0", "libxcb-shm0", "libxcb"),
        Library("libxcb-sync.so.1", "libxcb-sync1", "libxcb"),
        Library("libxcb-util.so.1", "libxcb-util1", "xcb-util"),
        Library("libxcb-xfixes.so.0", "libxcb-xfixes0", "libxcb"),
        Library("libxcb-xkb.so.1", "libxcb-xkb1", "libxcb"),
        Library("libxkbcommon-x11.so.0", "libxkbcommon-x11-0", "libxkbcommon-x11"),
        Library("libX11-xcb.so.1", "libx11-xcb1", "libx11"),
    ),
    "wayland": (
        Library("libwayland-client.so.0", "libwayland-client0", "wayland"),
        Library("libwayland-cursor.so.0", "libwayland-cursor0", "wayland"),
    ),
}


def library_for_file(file: str) -> Library:
    known = (*BASE_LIBRARIES, *(library for of_platform in PLATFORM_LIBRARIES.values() for library in of_platform))
    return next((library for library in known if library.file == file), Library(file))


def missing_libraries(platform: str = "") -> list[Library]:
    return [
        library for library in (*BASE_LIBRARIES, *PLATFORM_LIBRARIES.get(platform, ())) if not can_load(library.file)
    ]


def install_command(libraries: Sequence[Library], os_release: Path = OS_RELEASE) -> str:
    """Empty where the distribution, or a package, is not known."""
    for name in _distributions(os_release):
        if name in _COMMANDS:
            command, packages_of = _COMMANDS[name]
            packages = sorted({packages_of(library) for library in libraries})
            return " ".join([*_as_root(), command, *map(shlex.quote, packages)]) if all(packages) else ""
    return ""


def debian_package(library: Library) -> str:
    return library.debian


def _arch_package(library: Library) -> str:
    return library.arch


def _rpm_capability(library: Library) -> str:
    """What rpm knows a library by, whichever package it is in."""
    return f"{library.file}()(64bit)"


def _apk_capability(library: Library) -> str:
    return f"so:{library.file}"


_APT = ("apt-get install", debian_package)
_DNF = ("dnf install", _rpm_capability)
_ZYPPER = ("zypper install", _rpm_capability)
_COMMANDS = {
    "debian": _APT,
    "ubuntu": _APT,
    "fedora": _DNF,
    "rhel": _DNF,
    "centos": _DNF,
    "suse": _ZYPPER,
    "opensuse": _ZYPPER,
    "arch": ("pacman -S", _arch_package),
    "alpine": ("apk add", _apk_capability),
}


def _distributions(os_release: Path) -> list[str]:
    """This one's name, then the names of those it is made from."""
    try:
        lines = os_release.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    facts = dict(line.split("=", 1) for line in lines if "=" in line)
    return [name for key in ("ID", "ID_LIKE") for name in facts.get(key, "").strip("\"' ").split()]


def _as_root() -> tuple[str, ...]:
    if sys.platform == "win32" or os.geteuid() == 0:
        return ()
    return ("sudo",)


def can_load(file: str) -> bool:
    try:
        ctypes.CDLL(file)
    except OSError:
        return False
    return True

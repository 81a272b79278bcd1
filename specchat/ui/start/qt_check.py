"""Explains what is missing when Qt cannot start, before Qt itself would abort."""

import ctypes
import os
import re
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from specchat.domain.errors import UserError
from specchat.ui.start.spare_libraries import load_spares, spare_folder
from specchat.ui.start.system_libraries import OS_RELEASE, install_command, library_for_file, missing_libraries

_NOT_FOUND = re.compile(r"(lib[\w.+-]+): (?:cannot open shared object file|No such file)")
_MOST_NAMED = 3
_TOO_OLD = re.compile(r"version `(\w+_[\d.]+)' not found")


def require_qt(environment: Mapping[str, str] = os.environ, os_release: Path = OS_RELEASE) -> None:
    try:
        _require_qt(environment, os_release)
    except UserError:
        if not load_spares(spare_folder()):
            raise
        _require_qt(environment, os_release)


def _require_qt(environment: Mapping[str, str], os_release: Path) -> None:
    platforms = _platforms(environment)
    _import_qt(platforms, os_release)
    if sys.platform in ("win32", "darwin"):
        return
    problems = []
    for platform in platforms:
        problem = _problem(platform, environment, os_release)
        if problem is None:
            return
        problems.append(problem)
    raise problems[0] if problems else _no_display("There is no display to open the window on.")


def _import_qt(platforms: Sequence[str], os_release: Path) -> None:
    try:
        import PySide6.QtNetwork
        import PySide6.QtSvg
        import PySide6.QtWidgets  # noqa: F401 - imported to see whether it can be
    except ImportError as error:
        if (error.name or "").startswith(("PySide6", "shiboken6")) and isinstance(error, ModuleNotFoundError):
            raise UserError("PySide6, which draws the window, is not installed.", _install_again()) from error
        raise qt_load_error(str(error), platforms[0] if platforms else "", os_release) from error


def _platforms(environment: Mapping[str, str]) -> list[str]:
    """Where Qt would try to open the window, one after the other."""
    chosen = environment.get("QT_QPA_PLATFORM", "")
    if chosen:
        return [name.partition(":")[0].partition("-")[0] for name in chosen.split(";")]
    displays = {"wayland": "WAYLAND_DISPLAY", "xcb": "DISPLAY"}
    return [platform for platform, variable in displays.items() if environment.get(variable)]


def _problem(platform: str, environment: Mapping[str, str], os_release: Path) -> UserError | None:
    plugins = _plugins(environment)
    if not plugins:
        return None
    if platform not in plugins:
        known = ", ".join(name for name in ("offscreen", "wayland", "xcb") if name in plugins)
        return UserError(
            f"Qt has no platform named {platform}.", f"Unset QT_QPA_PLATFORM, or set it to one of: {known}."
        )
    try:
        ctypes.CDLL(str(plugins[platform]))
    except OSError as error:
        return qt_load_error(str(error), platform, os_release)
    reaches = {"xcb": _reaches_x, "wayland": _reaches_wayland}.get(platform)
    if reaches is None or reaches(environment):
        return None
    display = environment.get("DISPLAY" if platform == "xcb" else "WAYLAND_DISPLAY")
    if not display:
        return _no_display("There is no display to open the window on.")
    return _no_display(f"Can't reach the display {display}.")


def _plugins(environment: Mapping[str, str]) -> dict[str, Path]:
    """By platform, from where Qt looks first."""
    from PySide6.QtCore import QLibraryInfo

    def folders(variable: str) -> list[Path]:
        return [Path(folder) for folder in environment.get(variable, "").split(os.pathsep) if folder]

    own = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath))
    general = [folder / "platforms" for folder in (*folders("QT_PLUGIN_PATH"), own)]
    plugins: dict[str, Path] = {}
    for folder in (*folders("QT_QPA_PLATFORM_PLUGIN_PATH"), *general):
        for plugin in folder.glob("libq*.so"):
            plugins.setdefault(plugin.stem.removeprefix("libq"), plugin)
    return plugins


def _reaches_x(environment: Mapping[str, str]) -> bool:
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    display = environment.get("DISPLAY")
    connection = ctypes.c_void_p(xcb.xcb_connect(display.encode() if display else None, None))
    try:
        return not xcb.xcb_connection_has_error(connection)
    finally:
        xcb.xcb_disconnect(connection)


def _reaches_wayland(environment: Mapping[str, str]) -> bool:
    if sys.platform == "win32":
        return False
    path = Path(environment.get("XDG_RUNTIME_DIR", "/"), environment.get("WAYLAND_DISPLAY") or "wayland-0")
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(path))
        except OSError:
            return False
    return True


def qt_load_error(reason: str, platform: str, os_release: Path) -> UserError:
    """The loader's reason in words, with the command that brings what is missing."""
    too_old = _TOO_OLD.search(reason)
    if too_old:
        return UserError(f"This system is too old: Qt needs {too_old[1]}.", "Update the system.")
    if sys.platform in ("win32", "darwin"):
        return UserError("Couldn't load Qt, which draws the window.", _install_again())
    libraries = missing_libraries(platform)
    named = _NOT_FOUND.search(reason)
    if named and library_for_file(named[1]) not in libraries:
        libraries.append(library_for_file(named[1]))
    if not libraries:
        return UserError(f"Couldn't load Qt: {reason}", _install_again())
    files = [one.file for one in libraries]
    command = install_command(libraries, os_release)
    return UserError(
        f"The window needs system libraries that are missing: {_some(files)}.",
        f"Install them: {command}" if command else f"Install the packages that contain {', '.join(files)}.",
    )


def _some(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _no_display(message: str) -> UserError:
    return UserError(
        message,
        "Log in to a desktop session, connect with ssh -X, or set QT_QPA_PLATFORM=offscreen to run without a window.",
    )


def _install_again() -> str:
    if getattr(sys, "frozen", False):
        return "Reinstall specchat."
    return f"Run: {sys.executable} -m pip install --force-reinstall PySide6-Essentials"

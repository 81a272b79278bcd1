"""What of Python, Qt, the system and the project belongs in the bundle."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from system_closure import SYSTEM_FOLDERS, system_libraries_of
from windows_version import COPYRIGHT, four_numbers

Entry = tuple[str, str, str]
"""PyInstaller's: where to, where from, what kind."""

OLDEST_MACOS = "14.0"
"""Qt needs 13; numpy's build for newer ones, which pip takes where this is built, needs 14."""

UNUSED_MODULES = [
    "PIL",
    "PySide6.QtOpenGL",
    "hf_xet",
    "jsonschema",
    "jwt",
    "llama_cpp.llama",
    "mcp.cli",
    "mcp.client.auth",
    "mcp.client.client",
    "mcp.client.session_group",
    "mcp.client.sse",
    "mcp.server",
    "numpy.f2py",
    "numpy.testing",
    "pytest",
    "python_multipart",
    "readline",
    "rich",
    "setuptools",
    "sse_starlette",
    "tkinter",
    "unittest",
]
"""Tried for by others where they are there, or, as readline, under a licence that would be ours too.

Of the MCP SDK only the client is used, which `sources/mcp/sdk.py` loads without the rest.
"""

_LEFT_OUT = re.compile(
    r"""
    ^llama_cpp/ | ^lib(llama|ggml|mtmd)           # the portable build takes their place
    | /plugins/(egldeviceintegrations|generic|networkinformation|tls)/
    | /plugins/platforms/\w*q(direct2d|eglfs|linuxfb|minimalegl|vkkhrdisplay|vnc)\.
    | /plugins/platforminputcontexts/\w*qtvirtualkeyboardplugin\.
    | /plugins/imageformats/\w*q(icns|pdf|tga|tiff|wbmp)\.
    | Qt6(EglF[sS]\w*|Pdf|VirtualKeyboard|Qml\w*|Quick\w*)\.
    | (^|/)Qt(Pdf|VirtualKeyboard|Qml\w*|Quick\w*)(\.framework/|$)
    | /opengl32sw\.
    | /translations/(?!qtbase_de\.)[^/]*\.qm$ (?<!specchat_de\.qm)
    | _multiarray_tests\.
    | \.dist-info/(INSTALLER|RECORD|REQUESTED|WHEEL|direct_url\.json|licenses/|sboms/)
    """,
    re.VERBOSE,
)

_RESOURCES = (
    "*.gguf",
    "known_pairs.json",
    "workloads.jsonl",
    "docs/**/*",
    "fonts/*.ttf",
    "icons/*.svg",
    "translations/*.qm",
)


def resources(root: Path) -> list[tuple[str, str]]:
    folder = root / "resources"
    files = [file for pattern in _RESOURCES for file in sorted(folder.glob(pattern)) if file.is_file()]
    return [(str(file), str(Path("specchat/resources") / file.parent.relative_to(folder))) for file in files]


def shipped(entries: Iterable[Entry]) -> list[Entry]:
    return [entry for entry in entries if not _LEFT_OUT.search(entry[0].replace("\\", "/"))]


def shipped_binaries(entries: Iterable[Entry]) -> list[Entry]:
    """Qt uses the system's libraries, which fit its display and its drivers; Python needs those it was made with."""
    binaries = shipped(entries)
    if sys.platform != "linux":
        return binaries
    of_system = {entry[0]: entry for entry in binaries if _is_of_system(entry)}
    others = [entry for entry in binaries if entry[0] not in of_system]
    pythons = [Path(entry[1]) for entry in others if "PySide6" not in entry[1] and "shiboken6" not in entry[1]]
    needed = system_libraries_of(pythons)
    return [*others, *(entry for name, entry in of_system.items() if name in needed)]


def _is_of_system(entry: Entry) -> bool:
    """Python itself may be of the system too."""
    destination, source, kind = entry
    is_python = kind == "EXTENSION" or destination.startswith("libpython")
    return source.startswith(SYSTEM_FOLDERS) and not is_python


def info_plist(version: str) -> dict[str, object]:
    gguf = "io.github.ggml-org.gguf"
    return {
        "CFBundleDevelopmentRegion": "en",
        "CFBundleDisplayName": "specchat",
        "CFBundleLocalizations": ["en", "de"],
        "CFBundleShortVersionString": version,
        "CFBundleVersion": ".".join(map(str, four_numbers(version)[:3])),
        "LSApplicationCategoryType": "public.app-category.productivity",
        "LSMinimumSystemVersion": OLDEST_MACOS,
        "NSHighResolutionCapable": True,
        "NSHumanReadableCopyright": COPYRIGHT,
        "NSPrincipalClass": "NSApplication",
        "NSRequiresAquaSystemAppearance": False,
        "NSSupportsAutomaticGraphicsSwitching": True,
        "CFBundleDocumentTypes": [
            {"CFBundleTypeName": "GGUF model", "CFBundleTypeRole": "Viewer", "LSHandlerRank": "Alternate"}
            | {"LSItemContentTypes": [gguf]}
        ],
        "UTImportedTypeDeclarations": [
            {
                "UTTypeIdentifier": gguf,
                "UTTypeDescription": "GGUF model",
                "UTTypeConformsTo": ["public.data"],
                "UTTypeTagSpecification": {"public.filename-extension": ["gguf"]},
            }
        ],
    }

"""The licences of everything in the bundle, for the page that shows them: `licences.json` and the texts beside it."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from shell import SetupError, output_of

ROOT = Path(__file__).resolve().parents[2]
OWN_TEXTS = ROOT / "packaging" / "licences"
_QT = ("pyside6-essentials", "shiboken6")
_TEXT = re.compile(r"(licen[cs]e|copying|notice)", re.IGNORECASE)
_WORDS = {"Apache Software License": "Apache-2.0", "MIT License": "MIT", "BSD License": "BSD"}
_COMMON = Path("/usr/share/common-licenses")
_INCLUDE = re.compile(rb"^#include (\.[\w./-]+)$", re.MULTILINE)


@dataclass(frozen=True)
class Part:
    name: str
    version: str
    licence: str
    homepage: str
    texts: list[str]


class Licences:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._parts: list[Part] = []
        folder.mkdir(parents=True)

    def add(self, name: str, version: str, licence: str, homepage: str, texts: Iterable[Path]) -> None:
        names = [self._copy(name, kept_as, text) for kept_as, text in _distinct(list(texts)).items()]
        if not names:
            raise SetupError(f"{name} has no license text: add one to {OWN_TEXTS.name}/.")
        self._parts.append(Part(name, version, licence, homepage, names))

    def write(self) -> None:
        parts = sorted(self._parts, key=lambda part: part.name.lower())
        text = json.dumps({"parts": [asdict(part) for part in parts]}, indent=1, ensure_ascii=False)
        (self._folder / "licences.json").write_text(text + "\n", encoding="utf-8")

    def _copy(self, name: str, kept_as: str, text: Path) -> str:
        kept = f"{text.name}.txt" if text.parent == _COMMON else f"{name}-{kept_as}.txt"
        (self._folder / kept).write_bytes(_whole(text))
        return kept


def _whole(text: Path) -> bytes:
    """With the texts that it includes, as those of pypdfium2 do."""

    def included(match: re.Match[bytes]) -> bytes:
        return (text.parent / match[1].decode()).read_bytes().rstrip()

    return _INCLUDE.sub(included, text.read_bytes())


def _distinct(texts: Sequence[Path]) -> dict[str, Path]:
    """By their own names, where these are not the same, else by their folders' too."""
    names = [text.stem if text.suffix in (".txt", ".md") else text.name for text in texts]
    if len(set(names)) == len(names):
        return dict(zip(names, texts, strict=True))
    common = Path(os.path.commonpath(texts))
    return {"-".join(text.relative_to(common).parts): text for text in texts}


def add_ours(licences: Licences, version: str) -> None:
    licences.add("specchat", version, "MIT", "https://github.com/specchat/specchat", [ROOT / "LICENSE"])


def add_python(licences: Licences) -> None:
    texts = (
        Path(sysconfig.get_path("stdlib")) / "LICENSE.txt",
        Path(sys.base_prefix) / "LICENSE.txt",
        Path("/usr/share/doc") / f"python3.{sys.version_info.minor}" / "copyright",
    )
    text = next(filter(Path.exists, texts), None)
    licences.add("Python", sys.version.split()[0], "Python-2.0", "https://www.python.org", [text] if text else [])


def add_qt(licences: Licences) -> None:
    texts = [OWN_TEXTS / f"{name}.txt" for name in ("Qt", "LGPL-3.0", "GPL-3.0", "Qt-third-parties", "ICU")]
    licences.add("Qt", importlib.metadata.version(_QT[0]), "LGPL-3.0-only", "https://www.qt.io", texts)


def add_font(licences: Licences) -> None:
    """The font of formulas."""
    address = "https://github.com/stipub/stixfonts"
    licences.add("STIX Two Math", "2.11", "OFL-1.1", address, [OWN_TEXTS / "STIX.txt"])


def add_llama_cpp(licences: Licences, version: str, texts: Sequence[Path]) -> None:
    licences.add("llama.cpp", version, "MIT", "https://github.com/ggml-org/llama.cpp", texts)


def add_python_packages(licences: Licences, modules: Iterable[str]) -> None:
    """Those that these modules are from."""
    of_module = importlib.metadata.packages_distributions()
    names = {_normal(name) for module in modules for name in of_module.get(module, ())}
    for name in sorted(names - {"specchat", *_QT}):
        distribution = importlib.metadata.distribution(name)
        about = distribution.metadata
        licences.add(about["Name"], distribution.version, _licence(about), _homepage(about), _texts(distribution))


def add_system_libraries(licences: Licences, files: Iterable[Path]) -> None:
    """Of Debian's packages, which each bring the words of their authors; the address is that of their source."""
    for package in sorted({_package_of(file) for file in files}):
        facts = "${Version}|${source:Package}|${source:Version}"
        version, source, of_source = output_of(["dpkg-query", "--show", f"--showformat={facts}", package]).split("|")
        name = package.partition(":")[0]
        text = Path("/usr/share/doc") / name / "copyright"
        address = f"https://snapshot.debian.org/package/{source}/{of_source}/"
        licences.add(name, version, "see text", address, [text, *_common_texts(text)])


def _common_texts(text: Path) -> list[Path]:
    """Those that it refers to, which only Debian has in that place."""
    named = re.findall(rf"{_COMMON}/([A-Za-z]+(?:-\d+(?:\.\d+)*)?)", text.read_text(encoding="utf-8", errors="replace"))
    return [_COMMON / name for name in sorted(set(named)) if (_COMMON / name).exists()]


def _package_of(library: Path) -> str:
    for path in (library, library.resolve(), Path(f"/usr{library.resolve()}"), *_without_usr(library.resolve())):
        owner = output_of(["dpkg-query", "--search", path]).partition(": ")[0]
        if owner:
            return owner
    raise SetupError(f"{library} belongs to no package, so its license is unknown.")


def _without_usr(path: Path) -> list[Path]:
    return [Path(str(path).removeprefix("/usr"))]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _licence(about: importlib.metadata.PackageMetadata) -> str:
    declared = _first(about, "License-Expression") or _first(about, "License")
    if declared and len(declared) <= 60 and "\n" not in declared:
        return declared
    kinds = [kind.rpartition(" :: ")[2] for kind in about.get_all("Classifier") or () if kind.startswith("License ::")]
    return " OR ".join(_WORDS.get(kind, kind) for kind in kinds) or "see text"


def _homepage(about: importlib.metadata.PackageMetadata) -> str:
    links = dict(_links(about))
    for name in ("homepage", "home", "source", "repository", "source code", "github", "documentation"):
        if name in links:
            return links[name]
    return _first(about, "Home-page") or f"https://pypi.org/project/{about['Name']}"


def _first(about: importlib.metadata.PackageMetadata, name: str) -> str:
    return next(iter(about.get_all(name) or ()), "")


def _links(about: importlib.metadata.PackageMetadata) -> Iterator[tuple[str, str]]:
    for link in about.get_all("Project-URL") or ():
        name, _, address = link.partition(",")
        yield name.strip().lower(), address.strip()


def _texts(distribution: importlib.metadata.Distribution) -> list[Path]:
    is_text: Callable[[importlib.metadata.PackagePath], bool] = lambda file: (  # noqa: E731
        ".dist-info" in str(file) and bool(_TEXT.match(file.name))
    )
    files = distribution.files or ()
    found = sorted(filter(is_text, files)) or sorted(
        file for file in files if ".dist-info/licenses/" in file.as_posix()
    )
    return [Path(str(distribution.locate_file(file))) for file in found]

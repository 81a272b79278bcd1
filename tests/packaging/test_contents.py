"""What is shipped of what PyInstaller finds, and how the licences name it."""

import importlib.metadata
import sys
from pathlib import Path

import contents
import licences
import pytest
import system_closure
from debian_package import debians_version
from shell import SetupError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is taken from the system")

SYSTEM = "/usr/lib/x86_64-linux-gnu"


def shipped(*entries: contents.Entry) -> set[str]:
    return {entry[0] for entry in contents.shipped_binaries(entries)}


def test_python_of_the_system_is_shipped() -> None:
    """With what its modules need; of what only Qt needs, the system's own is used."""
    real = f"{SYSTEM}/libcrypt.so.1"
    needed = system_closure.system_libraries_of([Path(f"{SYSTEM}/libX11.so.6")])
    module: contents.Entry = ("python3.11/lib-dynload/_ssl.so", f"{SYSTEM}/libX11.so.6", "EXTENSION")
    python: contents.Entry = ("libpython3.11.so.1.0", real, "BINARY")
    others: list[contents.Entry] = [(name, str(path), "BINARY") for name, path in needed.items()]
    only_qts: contents.Entry = ("libfontconfig.so.1", f"{SYSTEM}/libfontconfig.so.1", "BINARY")
    assert shipped(module, python, *others, only_qts) == {module[0], python[0], *needed}


def test_what_is_left_out() -> None:
    qt = "PySide6/Qt"
    assert contents.shipped(
        [
            (f"{qt}/plugins/platforms/libqxcb.so", "", "BINARY"),
            (f"{qt}/plugins/platforms/libqlinuxfb.so", "", "BINARY"),
            (f"{qt}/plugins/tls/libqopensslbackend.so", "", "BINARY"),
            (f"{qt}/translations/qtbase_de.qm", "", "DATA"),
            (f"{qt}/translations/qtbase_fr.qm", "", "DATA"),
            ("specchat/resources/translations/specchat_de.qm", "", "DATA"),
            ("llama_cpp/lib/libllama.so", "", "BINARY"),
        ]
    ) == [
        (f"{qt}/plugins/platforms/libqxcb.so", "", "BINARY"),
        (f"{qt}/translations/qtbase_de.qm", "", "DATA"),
        ("specchat/resources/translations/specchat_de.qm", "", "DATA"),
    ]


def test_a_library_that_is_missing_stops_the_build() -> None:
    with pytest.raises(SetupError, match=r"libnowhere\.so\.7"):
        system_closure.with_what_they_need(["libnowhere.so.7"])


def test_texts_that_are_named_alike(tmp_path: Path) -> None:
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "LICENSE.txt").write_text(f"The licence of {folder}.")
    all_of_them = licences.Licences(tmp_path / "licences")
    all_of_them.add("both", "1", "MIT", "", sorted(tmp_path.glob("o*/LICENSE.txt")))
    all_of_them.write()
    texts = {file.read_text() for file in (tmp_path / "licences").glob("*.txt")}
    assert texts == {"The licence of one.", "The licence of other."}


def test_a_text_includes_what_it_names(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "Apache-2.0.txt").write_text("Apache License\n")
    (tmp_path / "part.txt").write_text("#include ./shared/Apache-2.0.txt\nand more\n")
    all_of_them = licences.Licences(tmp_path / "licences")
    all_of_them.add("part", "1", "Apache-2.0", "", [tmp_path / "part.txt"])
    assert (tmp_path / "licences" / "part-part.txt").read_text() == "Apache License\nand more\n"


def test_a_part_without_a_licence_stops_the_build(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="has no license text"):
        licences.Licences(tmp_path / "licences").add("secret", "1", "", "", [])


def test_every_package_that_is_needed_has_a_licence(tmp_path: Path) -> None:
    names = ("numpy", "jinja2", "httpx2", "keyring", "huggingface_hub", "markdown_it", "yaml", "_cffi_backend")
    serving = ("starlette", "uvicorn", "h11", "click", "anyio", "llguidance")
    all_of_them = licences.Licences(tmp_path / "licences")
    licences.add_python_packages(all_of_them, (*names, *serving))
    all_of_them.write()
    assert len(list((tmp_path / "licences").glob("*.txt"))) >= len((*names, *serving))
    assert importlib.metadata.version("numpy") in (tmp_path / "licences" / "licences.json").read_text()


@pytest.mark.parametrize(
    ("version", "debians"),
    [("1.0.0", "1.0.0"), ("1.0.0rc1", "1.0.0~rc1"), ("1.0.0.dev3", "1.0.0~dev3"), ("1.0a2", "1.0~a2")],
)
def test_versions_before_a_release(version: str, debians: str) -> None:
    assert debians_version(version) == debians

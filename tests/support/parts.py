"""What a packaged app might ship."""

import json
from pathlib import Path

from specchat.domain.serialization import to_plain
from specchat.services.program.licences import LicenceEntry

LICENCE = (Path(__file__).parents[2] / "LICENSE").read_text(encoding="utf-8")

PARTS = (
    LicenceEntry("specchat", "0.1.0", "MIT", texts=("specchat-LICENSE.txt",)),
    LicenceEntry(
        "huggingface_hub", "2.4.0", "Apache-2.0", "https://github.com/huggingface/huggingface_hub", ("apache.txt",)
    ),
    LicenceEntry("Jinja2", "3.1.6", "BSD-3-Clause", "https://palletsprojects.com/p/jinja/", ("jinja.txt",)),
    LicenceEntry("llama.cpp", "b6888", "MIT", "https://github.com/ggml-org/llama.cpp", ("llama.txt",)),
    LicenceEntry("llama-cpp-python", "0.3.36", "MIT", "https://github.com/abetlen/llama-cpp-python", ("binding.txt",)),
    LicenceEntry("NumPy", "2.3.5", "BSD-3-Clause AND Zlib AND CC0-1.0", "https://numpy.org", ("numpy.txt", "zlib.txt")),
    LicenceEntry("OpenSSL", "3.5.4", "Apache-2.0", "https://openssl-library.org", ("apache.txt",)),
    LicenceEntry("Python", "3.11.14", "PSF-2.0", "https://www.python.org", ("python.txt",)),
    LicenceEntry("Qt", "6.11.3", "LGPL-3.0-only", "https://www.qt.io", ("lgpl.txt", "gpl.txt")),
    LicenceEntry("SQLite", "3.50.4", "blessing", "https://sqlite.org", ("sqlite.txt",)),
)


def write_parts(folder: Path, *parts: LicenceEntry) -> Path:
    """The text of specchat is its own, the others say what they are called."""
    folder.mkdir(parents=True)
    (folder / "licences.json").write_text(json.dumps({"parts": to_plain(parts)}), encoding="utf-8")
    for part in parts:
        for name in part.texts:
            text = LICENCE if part.name == "specchat" else f"The text of {name}\n"
            (folder / name).write_text(text, encoding="utf-8")
    return folder

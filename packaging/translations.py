"""Translations of the window. Run with the project's Python.

python packaging/translations.py update [FOLDER]     collects the texts of the sources in the .ts files, for translators
python packaging/translations.py compile [FOLDER]    compiles them to .qm files, which the program reads

The default FOLDER is resources/translations.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from message_templates import Templates
from shell import SetupError, run_silently, say

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("de",)


def main(arguments: Sequence[str]) -> int:
    commands = {"update": update, "compile": compile_words}
    match arguments:
        case [("update" | "compile") as name, *folders] if len(folders) <= 1:
            folder = Path(folders[0]) if folders else ROOT / "resources" / "translations"
        case _:
            say(__doc__.strip())
            return 2
    try:
        for language in LANGUAGES:
            commands[name](folder / f"specchat_{language}.ts")
    except SetupError as error:
        say(str(error))
        return 1
    return 0


def update(words: Path) -> None:
    """New words come in unfinished; those that are in use no longer go."""
    sources = sorted((ROOT / "specchat" / "ui").rglob("*.py"))
    options = ["-locations", "none", "-no-obsolete", "-source-language", "en"]
    with TemporaryDirectory() as folder:
        sources.append(_marked(Templates().found, Path(folder) / "said.py"))
        run_silently([_tool("lupdate"), *options, *sources, "-ts", words], "Collecting the texts failed.")


def _marked(templates: Iterable[str], file: Path) -> Path:
    """As lupdate finds words: those of the services are not marked in the sources, which know no Qt."""
    lines = (f'QT_TRANSLATE_NOOP("Said", {json.dumps(words, ensure_ascii=False)})\n' for words in sorted(templates))
    file.write_text("".join(lines), encoding="utf-8")
    return file


def compile_words(words: Path) -> None:
    run_silently([_tool("lrelease"), words, "-qm", words.with_suffix(".qm")], f"{words} could not be compiled.")


def _tool(name: str) -> Path:
    return Path(sys.executable).with_name(f"pyside6-{name}{'.exe' if sys.platform == 'win32' else ''}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Reads the licences of all components in the app; packaging/bundle/licences.py writes them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from specchat.domain.errors import UserError
from specchat.domain.serialization import from_plain, require_type
from specchat.domain.translatable_text import TranslatableText
from specchat.services.program.resources import resources

_INSTALL_AGAIN = TranslatableText("Reinstall specchat.")


@dataclass(frozen=True, slots=True)
class LicenceEntry:
    name: str
    version: str = ""
    licence: str = ""
    homepage: str = ""
    texts: tuple[str, ...] = ()
    """Names of files."""


class Licences:
    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or resources() / "licences"

    def list_entries(self) -> Sequence[LicenceEntry]:
        """specchat first, then by name; none outside the packaged app, which alone ships what others made."""
        try:
            content = require_type(dict, json.loads((self._folder / "licences.json").read_text(encoding="utf-8")))
            parts = from_plain(tuple[LicenceEntry, ...], content.get("parts"))
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, RecursionError) as error:
            raise UserError("Couldn't read the list of licenses.", _INSTALL_AGAIN) from error
        return sorted(parts, key=lambda part: (part.name != "specchat", part.name.casefold()))

    def text(self, part: LicenceEntry) -> str:
        try:
            texts = {name: self._read(name) for name in part.texts}
        except (OSError, ValueError) as error:
            raise UserError("Couldn't read the license of {name}.", _INSTALL_AGAIN, name=part.name) from error
        if len(texts) == 1:
            return next(iter(texts.values()))
        return "\n\n".join(f"{name}\n{'=' * len(name)}\n\n{text}" for name, text in texts.items())

    def _read(self, name: str) -> str:
        if Path(name).name != name:
            raise ValueError("not in the folder of the list")
        text = (self._folder / name).read_text(encoding="utf-8", errors="replace")
        return text.replace("\f", "").strip("\n")

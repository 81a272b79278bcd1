"""Keeps the pairs known to go together; they are hints, the model headers decide.

Some ship with the program, others are the user's own, in a file of the same form.
"""

import json
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from specchat.domain.errors import SettingError
from specchat.domain.hub import is_model_file, parse_hub_reference
from specchat.domain.serialization import from_plain, require_type, to_plain
from specchat.domain.translatable_text import TranslatableText
from specchat.services.models.model_names import normalize_name, split_reference
from specchat.services.program.resources import resources
from specchat.store.json_file import JsonFile

log = logging.getLogger(__name__)

_VERSION = 1
_PAIRS = "pairs"
_MOST = 500
_MOST_PARAMETERS = 10**14
_LONGEST = {"repo": 200, "file": 1000, "name": 200, "quantization": 40}
_LONGEST_NOTE = 300
_REPO = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)


class Remark(StrEnum):
    MADE_FOR_IT = "made for it"
    COMPLETES_CODE = "completes code"


_REMARKS = {
    Remark.MADE_FOR_IT: TranslatableText("The draft was trained for this target."),
    Remark.COMPLETES_CODE: TranslatableText("For code completion in editors. Not trained to chat."),
}


@dataclass(frozen=True, slots=True)
class KnownModel:
    repo: str = ""
    """Empty: a file of the user's own."""
    file: str | None = None
    """None: whichever of the repository's files suits."""
    name: str = ""
    parameters: int = 0
    """0: not known."""
    active_parameters: int | None = None
    """Of a mixture of experts, for each token."""
    quantization: str = ""

    @property
    def reference(self) -> str:
        """owner/repo where the file is still to be chosen."""
        return ":".join(part for part in (self.repo, self.file) if part)

    def matches(self, reference: str, name: str = "") -> bool:
        """Matches the same model from another publisher or in another quantization."""
        repo, file = split_reference(reference)
        if reference == self.reference or (not self.file and repo.casefold() == self.repo.casefold() != ""):
            return True
        own = {normalize_name(self.file or self.repo), normalize_name(self.name)} - {""}
        return bool(own & {normalize_name(file), normalize_name(name)})


@dataclass(frozen=True, slots=True)
class KnownPair:
    target: KnownModel
    draft: KnownModel
    acceptance: float | None = None
    """Where it was published or measured."""
    remark: Remark | None = None
    note: str = ""
    """The user's own words."""
    own: bool = False

    @property
    def key(self) -> tuple[str, str]:
        return self.target.reference.casefold(), self.draft.reference.casefold()

    @property
    def remark_text(self) -> TranslatableText | None:
        if self.note:
            return from_plain(TranslatableText, self.note)
        return _REMARKS[self.remark] if self.remark else None


class KnownPairs:
    def __init__(self, shipped: Path, own: JsonFile) -> None:
        self._file = shipped
        self._own_file = own

    def pairs(self) -> list[KnownPair]:
        """The user's own first."""
        own = self._read_own()
        taken = {pair.key for pair in own}
        return [*own, *(pair for pair in self._shipped if pair.key not in taken)]

    def drafts_for(self, target: str, name: str = "") -> list[KnownPair]:
        """`target`: a path or a reference; `name`: what else it is called."""
        return [pair for pair in self.pairs() if pair.target.matches(target, name)]

    def add(self, pair: KnownPair) -> None:
        if pair.target.reference.casefold() == pair.draft.reference.casefold():
            raise SettingError("Target and draft are the same model.", "Choose another draft.")
        try:
            _check(pair)
        except ValueError as error:
            raise SettingError(
                "Couldn't save this pair: {reason}.", "Check the names and numbers on the model cards.", reason=error
            ) from error
        kept = [known for known in self._read_own() if known.key != pair.key]
        if len(kept) >= _MOST:
            raise SettingError("You can add at most {most} pairs.", "Remove one of them first.", most=_MOST)
        self._write([*kept, pair])

    def remove(self, pair: KnownPair) -> None:
        """Removes one of the user's pairs; built-in pairs stay."""
        self._write([known for known in self._read_own() if known.key != pair.key])

    @cached_property
    def _shipped(self) -> Sequence[KnownPair]:
        try:
            return _read(json.loads(self._file.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            log.warning("Can't use %s: %s", self._file, error)
            return ()

    def _read_own(self) -> list[KnownPair]:
        try:
            return [replace(pair, own=True) for pair in _read(self._own_file.read())]
        except ValueError as error:
            log.warning("Can't use the list of your own pairs: %s", error)
            self._own_file.set_aside()
            return []

    def _write(self, pairs: Sequence[KnownPair]) -> None:
        plain = [_short(to_plain(replace(pair, own=False))) for pair in pairs]
        self._own_file.write(self._own_file.read() | {"version": _VERSION, _PAIRS: plain})


def shipped_pairs_path() -> Path:
    return resources() / "known_pairs.json"


def make_known_model(reference: str, name: str = "", parameters: int = 0, quantization: str = "") -> KnownModel:
    """Creates an entry for a pair that the user added."""
    remote = parse_hub_reference(reference)
    repo, file = (remote.repo, remote.file) if remote else ("", reference)
    return KnownModel(repo, file, name, parameters, quantization=quantization)


def _read(content: object) -> list[KnownPair]:
    plain = require_type(list, require_type(dict, content).get(_PAIRS, []))[:_MOST]
    pairs = [replace(from_plain(KnownPair, each), own=False) for each in plain]
    for pair in pairs:
        _check(pair)
    return pairs


def _short(plain: object) -> object:
    """As a person would write it."""
    if not isinstance(plain, dict):
        return plain
    return {name: _short(part) for name, part in plain.items() if part not in (None, "", 0)}


def _check(pair: KnownPair) -> None:
    for model in (pair.target, pair.draft):
        _check_model(model)
    if pair.acceptance is not None and not 0 < pair.acceptance <= 1:
        raise ValueError("the acceptance rate must be between 0 and 1")
    if len(pair.note) > _LONGEST_NOTE or not pair.note.isprintable():
        raise ValueError("its note is too long or has more than one line")


def _check_model(model: KnownModel) -> None:
    texts = {"repo": model.repo, "file": model.file or "", "name": model.name, "quantization": model.quantization}
    for part, text in texts.items():
        if len(text) > _LONGEST[part] or not text.isprintable():
            raise ValueError(f"{part} is too long or not plain text")
    if model.repo and not _REPO.fullmatch(model.repo):
        raise ValueError(f"{model.repo} is not the name of a repository")
    if not (model.repo or model.file):
        raise ValueError("a model has neither a repository nor a file")
    if model.file is not None and not is_model_file(model.file):
        raise ValueError(f"{model.file} is not a model file")
    if not (0 <= model.parameters <= _MOST_PARAMETERS and 0 <= (model.active_parameters or 0) <= _MOST_PARAMETERS):
        raise ValueError("a number of parameters is impossible")

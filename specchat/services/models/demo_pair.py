"""Provides the demo pair that ships with the program."""

from pathlib import Path

from specchat.domain.errors import ModelFileError
from specchat.domain.model_ref import ModelFile, ModelRef
from specchat.domain.types import PairChoice
from specchat.services.program.resources import resources

DEMO = "demo"
"""Names the target, and the draft that comes with it."""
_TARGET, _DRAFT = "demo-target", "demo-draft"
DEMO_GUESSES = 4
"""The demo is there to show guessing: auto would guess nothing with so tiny a target on many computers."""
DEMO_NAMES = DEMO, _TARGET, _DRAFT
DEMO_TITLES = {f"{_TARGET}.gguf": "specchat demo target", f"{_DRAFT}.gguf": "specchat demo draft"}
"""As in the headers of the files, for the first start: they are shown before anything is read."""


def demo_file(reference: str) -> Path | None:
    """None where the reference means another model."""
    if reference not in DEMO_NAMES:
        return None
    return _require_file(_TARGET if reference == DEMO else reference)


def demo_files() -> tuple[Path, Path]:
    """Target and draft, whether they are there or not."""
    return _file(_TARGET), _file(_DRAFT)


def is_demo(ref: ModelRef) -> bool:
    return ref in [ModelFile(file) for file in demo_files()]


def demo_choice() -> PairChoice | None:
    """The pair for the window's first start; None if a file is missing."""
    target, draft = demo_files()
    if not (target.is_file() and draft.is_file()):
        return None
    return PairChoice(ModelFile(target), ModelFile(draft), draft_max=DEMO_GUESSES)


def demo_draft() -> Path:
    return _require_file(_DRAFT)


def _require_file(name: str) -> Path:
    path = _file(name)
    if not path.is_file():
        raise ModelFileError("{name}, which is part of specchat, is missing.", "Reinstall specchat.", name=path.name)
    return path


def _file(name: str) -> Path:
    return resources() / f"{name}.gguf"

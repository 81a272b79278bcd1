"""Pairs of files."""

from pathlib import Path
from typing import Any

from specchat.domain.types import PairChoice
from specchat.services.models.model_refs import file_of, ref_of


def choice_of(target: Path, draft: Path | None = None, *settings: Any, **others: Any) -> PairChoice:
    return PairChoice(ref_of(target), ref_of(draft) if draft is not None else None, *settings, **others)


def files_of(choice: PairChoice) -> tuple[Path, Path]:
    """Target and draft."""
    assert choice.draft is not None
    return file_of(choice.target), file_of(choice.draft)

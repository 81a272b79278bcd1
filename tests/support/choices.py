"""Pairs of files."""

from pathlib import Path
from typing import Any

from specchat.domain.types import PairChoice
from specchat.services.models.model_refs import path_for_ref, ref_for_path


def choice_of(target: Path, draft: Path | None = None, *settings: Any, **others: Any) -> PairChoice:
    return PairChoice(ref_for_path(target), ref_for_path(draft) if draft is not None else None, *settings, **others)


def files_of(choice: PairChoice) -> tuple[Path, Path]:
    """Target and draft."""
    assert choice.draft is not None
    return path_for_ref(choice.target), path_for_ref(choice.draft)

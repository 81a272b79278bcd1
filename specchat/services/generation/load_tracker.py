"""Combines the stages of loading into one progress value."""

import time
from collections.abc import Mapping

from specchat.domain.loading import LoadStage, OnLoading

_ORDER = list(LoadStage)
_MEASURING = 0.2
"""The effort of measuring speed, relative to loading the target."""
_SELF_TEST = 1.0


def estimate_effort(target: int, draft: int, *, is_first: bool, is_exact: bool) -> dict[LoadStage, float]:
    """Returns the effort of each stage in bytes read. `draft`: its size, or 0. Stages that turn out to be done are
    skipped.
    """
    return {
        LoadStage.CHECKING_TARGET: target if is_first else 0,
        LoadStage.LOADING_TARGET: target,
        LoadStage.CHECKING_DRAFT: draft if is_first else 0,
        LoadStage.LOADING_DRAFT: draft,
        LoadStage.SELF_TEST: _SELF_TEST * target if is_exact else 0,
        LoadStage.MEASURING_SPEED: _MEASURING * target,
    }


_INTERVAL_S = 0.04
"""Between two reports of a stage: llama.cpp's come with each tensor, which is hundreds of times in a second."""


class LoadTracker:
    def __init__(self, effort: Mapping[LoadStage, float], on_loading: OnLoading) -> None:
        self._effort, self._on_loading = effort, on_loading
        self._done = 0.0
        self._stage: LoadStage | None = None
        self._told_at = 0.0

    def report(self, stage: LoadStage, done: float = 0.0) -> None:
        """`done`: the finished share of this stage."""
        before = sum(self._effort.get(each, 0) for each in _ORDER[: _ORDER.index(stage)])
        share = (before + done * self._effort.get(stage, 0)) / max(1, sum(self._effort.values()))
        self._done = max(self._done, min(1.0, share))
        now = time.monotonic()
        if stage is self._stage and done < 1 and now - self._told_at < _INTERVAL_S:
            return
        self._stage, self._told_at = stage, now
        self._on_loading(stage, self._done)

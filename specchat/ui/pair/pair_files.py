"""Provides files that llama.cpp can inspect: local models, or stubs holding a header from the Hub."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.domain.cancel_token import CancelToken

if TYPE_CHECKING:  # it takes its time to import
    from specchat.services.hub.hub import Hub


@dataclass(frozen=True, slots=True)
class _Opened:
    path: Path
    is_made: bool
    """It holds a header from the Hub."""
    stack: ExitStack


class PairFiles:
    """Those of models on the Hub are made for this and go again. Used in one thread at a time."""

    def __init__(self, hub: "Callable[[], Hub]") -> None:
        self._hub = hub
        self._opened: dict[str, _Opened] = {}

    def open_paths(self, references: Sequence[str], cancel: CancelToken) -> list[Path]:
        """Those of other models go, and those that stand for what has arrived here."""
        for gone in [each for each in self._opened if each not in references or self._is_outdated(each)]:
            self._opened.pop(gone).stack.close()
        return [self._path(reference, cancel) for reference in references]

    def close(self) -> None:
        while self._opened:
            self._opened.popitem()[1].stack.close()

    def _is_outdated(self, reference: str) -> bool:
        return self._opened[reference].is_made is not _is_to_be_made(reference)

    def _path(self, reference: str, cancel: CancelToken) -> Path:
        from specchat.services.memory.measurable_files import open_measurable

        if reference not in self._opened:
            is_made = _is_to_be_made(reference)
            with ExitStack() as stack:
                path = stack.enter_context(open_measurable(reference, self._hub, cancel))
                self._opened[reference] = _Opened(path, is_made, stack.pop_all())
        return self._opened[reference].path


def _is_to_be_made(reference: str) -> bool:
    from specchat.services.models.model_files import parse_remote

    return parse_remote(reference) is not None

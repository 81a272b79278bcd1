"""Loads an embedding model or a reranker."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial

from specchat.backends.child import Child
from specchat.backends.embedding_model import EmbeddingModel
from specchat.backends.preflight import preflight_child, run_preflight
from specchat.backends.rpc_registry import connect
from specchat.domain.cancel_token import CancelToken
from specchat.domain.drafter_types import NONE
from specchat.domain.errors import SettingError, UserError
from specchat.domain.loading import LoadStage, OnLoading
from specchat.domain.ports import FactCache
from specchat.domain.types import ModelSettings, PairChoice
from specchat.gguf.files import require_consistent
from specchat.services.generation.load_tracker import LoadTracker, estimate_effort
from specchat.services.generation.loaded_embedder import LoadedEmbedder
from specchat.services.generation.memory_check import check_memory
from specchat.services.models.load_errors import explain_load_errors
from specchat.services.models.model_purpose import find_pooling
from specchat.services.models.model_refs import path_for_ref

_CONTEXT = 2048
"""The maximum context if none is chosen, because an encoder reads all of it at once."""


class EmbedderLoader:
    def __init__(
        self,
        passed_first_load: FactCache,
        preflight_child: Callable[[], AbstractContextManager[Child]] = preflight_child,
    ) -> None:
        self._passed = passed_first_load
        self._preflight_child = preflight_child

    def is_for(self, choice: PairChoice) -> bool:
        """Whether the target is an embedding model or a reranker."""
        try:
            return find_pooling(path_for_ref(choice.target)) is not None
        except UserError:  # loading it will report the reason
            return False

    def load(self, choice: PairChoice, cancel: CancelToken, progress: OnLoading = lambda *_: None) -> LoadedEmbedder:
        path = path_for_ref(choice.target)
        pooling = find_pooling(path)
        assert pooling is not None
        if choice.draft is not None:
            raise SettingError(
                "{name} doesn't generate text, so a draft can't speed it up.",
                "Omit the draft (-md).",
                name=choice.target.name,
            )
        summary = require_consistent(path)
        settings = _settings(choice.target_settings, summary.n_ctx_train)
        connect(settings.rpc)
        _, needed = check_memory(replace(choice, target_settings=settings, draft_type=NONE))
        bar = LoadTracker(estimate_effort(path.stat().st_size, 0, is_first=True, is_exact=False), progress)
        with self._preflight_child() as child, explain_load_errors(path):
            bar.report(LoadStage.CHECKING_TARGET)
            target = needed.target if needed is not None else None
            run_preflight(path, settings, self._passed, child, cancel, target, pooling=pooling)
            report = partial(bar.report, LoadStage.LOADING_TARGET)
            return LoadedEmbedder(choice, EmbeddingModel(path, settings, pooling, cancel, report), pooling)


def _settings(given: ModelSettings, n_ctx_train: int | None) -> ModelSettings:
    """Returns the settings without those that apply only to answers."""
    n_ctx = given.n_ctx or _CONTEXT
    return replace(
        given, n_ctx=min(n_ctx, n_ctx_train or n_ctx), exact=False, max_draft=0, branches=1, mtp=False, slots=1
    )

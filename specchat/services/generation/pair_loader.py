"""Loads a pair from its files, running the cheap checks first."""

import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

from specchat.backends.chat_template import ChatTemplate
from specchat.backends.child import Child
from specchat.backends.llama_head import LlamaHead
from specchat.backends.llama_model import LlamaModel
from specchat.backends.medusa_head import MedusaHeads
from specchat.backends.preflight import (
    HeadFile,
    file_key,
    preflight_child,
    run_preflight,
    run_projector_preflight,
)
from specchat.backends.rpc_registry import connect
from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import BATCH
from specchat.domain.errors import ModelFileError, ModelLoadError, SettingError
from specchat.domain.heads import HeadKind
from specchat.domain.loading import LoadStage, OnLoading
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.ports import FactCache
from specchat.domain.types import ModelSettings, PairChoice, VocabularyVerdict
from specchat.drafters import head_probe
from specchat.drafters.token_map import TokenMap
from specchat.engine.cost_measurement import DraftProbe, ModelProbe, are_costs_known, measure_costs
from specchat.engine.selftest import BatchComparison, SelfTestResult, run_selftest
from specchat.engine.shared_selftest import SharingResult
from specchat.gguf.compatibility import Compatibility
from specchat.gguf.files import require_compatible, require_consistent
from specchat.gguf.medusa import read_stored_heads
from specchat.services.bench.measured_pairs import ObservedSpeed, SpeedLookup, no_measurements
from specchat.services.generation.drafter_choice import (
    ChosenHead,
    build_draft_settings,
    build_target_settings,
    chosen_heads,
    draft_origin,
    drafter_names,
    max_draft_length,
    needs_draft,
)
from specchat.services.generation.head_state import LoadedHead
from specchat.services.generation.load_tracker import LoadTracker, estimate_effort
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.memory_check import check_memory
from specchat.services.generation.pair_profile import NullFactCache, PairProfile
from specchat.services.generation.slot_limits import why_fewer_slots, why_not_all_slots, why_one_slot
from specchat.services.memory.memory_estimates import MemoryEstimates
from specchat.services.memory.projector_memory import projector_settings
from specchat.services.models.head_lookup import require_answers
from specchat.services.models.load_errors import explain_load_errors
from specchat.services.models.mmproj_lookup import require_fitting, with_mmproj, without_mmproj
from specchat.services.models.model_purpose import require_writer
from specchat.services.models.model_refs import path_for_ref

log = logging.getLogger(__name__)

_TARGET = LoadStage.CHECKING_TARGET, LoadStage.LOADING_TARGET
_DRAFT = LoadStage.CHECKING_DRAFT, LoadStage.LOADING_DRAFT


class PairLoader:
    def __init__(
        self,
        passed_first_load: FactCache,
        selftests: FactCache,
        preflight_child: Callable[[], AbstractContextManager[Child]] = preflight_child,
        estimates: MemoryEstimates | None = None,
        learned: FactCache | None = None,
        taught: Callable[[PairChoice, ObservedSpeed], None] = lambda *_: None,
        measured: SpeedLookup = no_measurements,
    ) -> None:
        """`preflight_child`: the process for first loads, for one pair or kept for several. `estimates` records the
        allocated memory. `learned`: stores the profile of each pair. `taught`: called with the observed speed of a
        pair's draft. `measured`: what benchmarks and trials have found.
        """
        self._passed = passed_first_load
        self._selftests = selftests
        self._preflight_child = preflight_child
        self._estimates = estimates
        self._learned = learned or NullFactCache()
        self._taught = taught
        self._measured = measured

    def load(
        self,
        choice: PairChoice,
        cancel: CancelToken,
        progress: OnLoading = lambda *_: None,
        *,
        raw: bool = False,
        selftest: bool = True,
    ) -> LoadedPair:
        """`raw`: load without a chat template, so that its process is not started."""
        target_file = path_for_ref(choice.target)
        require_answers(target_file)
        require_writer(target_file)
        wanted_slots = choice.target_settings.n_slots
        is_mmproj_named = choice.target_settings.mmproj is not None
        choice = with_room_for_drafts(with_mmproj(choice))
        draft_file = path_for_ref(choice.draft) if choice.draft is not None and needs_draft(choice) else None
        require_consistent(target_file)
        compatibility = require_compatible(target_file, draft_file) if draft_file is not None else None

        connect(choice.target_settings.rpc)
        choice, needs = check_memory(choice)
        tests = choice.target_settings.exact and selftest
        bar = LoadTracker(self._effort(target_file, draft_file, choice.target_settings, tests=tests), progress)

        with self._preflight_child() as child, ExitStack() as undo:

            def model(
                check: LoadStage,
                load: LoadStage,
                path: Path,
                settings: ModelSettings,
                needed: MemoryBreakdown | None,
                head_files: Sequence[HeadFile] = (),
            ) -> LlamaModel:
                bar.report(check)
                with explain_load_errors(path):
                    run_preflight(path, settings, self._passed, child, cancel, needed, head_files)
                    loaded = LlamaModel(path, settings, cancel, partial(bar.report, load))
                if self._estimates is not None:
                    self._estimates.record_allocation(path, settings, loaded.allocated)
                return loaded

            choice = self._checked_mmproj(choice, target_file, child, cancel, is_named=is_mmproj_named)
            chosen = chosen_heads(choice)
            head_files = [
                _head_file(choice, head, choice.target_settings.n_ctx or 0)
                for head in chosen
                if head.kind is not HeadKind.MEDUSA  # llama.cpp doesn't load these
            ]
            target = model(*_TARGET, target_file, choice.target_settings, needs.target if needs else None, head_files)
            undo.callback(target.close)
            template = create_chat_template(target)
            undo.callback(template.close)
            if not raw:
                template.warm_up()
            draft = None
            if draft_file is not None and not any(head.file for head in chosen):
                settings = build_draft_settings(choice, target.n_ctx)
                draft = model(*_DRAFT, draft_file, settings, needs.draft if needs else None)
                undo.callback(draft.close)
            loaded = list[LoadedHead]()
            for head in chosen:
                loaded.append(self._head(_head_file(choice, head, target.n_ctx), target, cancel, bar))
                undo.callback(loaded[-1].close)
            if loaded:
                target.capture_layers([layer for head in loaded for layer in head.layers])
            tested = None
            if tests:
                bar.report(LoadStage.SELF_TEST)
                tested = self._selftest(target, cancel, partial(bar.report, LoadStage.SELF_TEST))
            keys = _learned_keys(target, draft, loaded)
            learned = self._learned_of(keys, target, _passes(choice, draft, loaded), cancel, bar)
            if draft is not None and (found := self._measured(target_file, draft.weights.path)) is not None:
                learned.expect(draft_origin(choice), found.acceptance_rate)
            remember = partial(self._remember, keys, choice, learned)
            token_map = _token_map(target, draft, compatibility)
            is_exact = choice.target_settings.exact
            by_drafter = why_one_slot(drafter_names(choice), exact=is_exact) if wanted_slots > 1 else ""
            reason = by_drafter or why_not_all_slots([target, draft], choice.target_settings.n_slots)
            n_slots = 1 if reason else choice.target_settings.n_slots
            reason = why_fewer_slots(choice.target_settings) if not reason and n_slots < wanted_slots else reason
            pair = LoadedPair(
                choice, target, draft, template, tested, learned, remember, loaded, token_map, n_slots, reason
            )
            if tested is not None and tested.exact and n_slots > 1:
                sharing = self._sharing(pair, cancel)
                target.shared.shares_passes, target.shared.least_piece = sharing.shares_passes, sharing.least_piece
            undo.pop_all()
        return pair

    def _checked_mmproj(
        self, choice: PairChoice, target: Path, child: Child, cancel: CancelToken, *, is_named: bool
    ) -> PairChoice:
        """One that only happens to lie there does not keep its target from answering."""
        mmproj = choice.target_settings.mmproj
        if mmproj is None:
            return choice
        settings = projector_settings(choice.target_settings)
        try:
            require_fitting(mmproj, target)
            taken = run_projector_preflight(mmproj, target, settings, self._passed, child, cancel)
        except (ModelFileError, ModelLoadError) as error:
            if is_named:
                raise
            log.info("Going on without %s: %s", mmproj.name, error)
            return without_mmproj(choice)
        if taken and self._estimates is not None:
            self._estimates.record_allocation(mmproj, settings, taken)
        return choice

    def _head(self, file: HeadFile, target: LlamaModel, cancel: CancelToken, bar: LoadTracker) -> LoadedHead:
        """Loads a head. Its first load was already tested together with its target's."""
        bar.report(LoadStage.LOADING_DRAFT)
        progress = partial(bar.report, LoadStage.LOADING_DRAFT)
        if file.kind is HeadKind.MEDUSA:
            assert file.path is not None
            stored = read_stored_heads(file.path, target.weights.path)
            return MedusaHeads(file.path, stored, target, file.settings, cancel, progress)
        return LlamaHead(file.kind, target, file.path, file.settings, cancel, progress)

    def _effort(
        self, target: Path, draft: Path | None, settings: ModelSettings, *, tests: bool
    ) -> dict[LoadStage, float]:
        """If the target was loaded before, its draft usually was, too."""
        return estimate_effort(
            target.stat().st_size,
            draft.stat().st_size if draft is not None else 0,
            is_first=not self._passed.get(file_key(target, settings)),
            is_exact=tests,
        )

    def _learned_of(
        self,
        keys: tuple[str, str],
        target: LlamaModel,
        drafts: Sequence[DraftProbe],
        cancel: CancelToken,
        bar: LoadTracker,
    ) -> PairProfile:
        """Returns the learned profile, and measures costs that it lacks. Results from a busy computer were not kept."""
        learned = PairProfile.from_facts(*map(self._learned.get, keys))
        if target.max_batch > 1 and not are_costs_known(target, drafts, learned.costs):
            bar.report(LoadStage.MEASURING_SPEED)
            measure_costs(target, drafts, learned.costs, cancel)
        return learned

    def _remember(self, keys: tuple[str, str], choice: PairChoice, learned: PairProfile) -> None:
        for key, fact in zip(keys, (learned.target_fact(), learned.fact()), strict=True):
            self._learned.put(key, fact)
        decides = needs_draft(choice) and choice.draft_max is None
        taught = learned.observed_speed() if decides else None
        if taught is not None:
            self._taught(choice, taught)

    def _sharing(self, pair: LoadedPair, cancel: CancelToken) -> SharingResult:
        key = f"slots {file_key(pair.target.weights.path, pair.target.settings)}"
        match self._selftests.get(key):
            case {"shares_passes": bool(shares_passes), "least_piece": int(least_piece)}:
                return SharingResult(shares_passes, least_piece)
        result = pair.test_sharing(cancel)
        self._selftests.put(key, asdict(result))
        return result

    def _selftest(self, target: LlamaModel, cancel: CancelToken, progress: Callable[[float], None]) -> SelfTestResult:
        key = file_key(target.weights.path, target.settings)
        known = _known_selftest(self._selftests.get(key))
        if known is not None:
            return known
        result = run_selftest(target, cancel, progress)
        self._selftests.put(key, asdict(result))
        return result


def _head_file(choice: PairChoice, head: ChosenHead, n_ctx: int) -> HeadFile:
    file = path_for_ref(head.file) if head.file is not None else None
    return HeadFile(head.kind, file, build_draft_settings(choice, n_ctx, head.kind))


def _token_map(target: LlamaModel, draft: LlamaModel | None, found: Compatibility | None) -> TokenMap | None:
    if draft is None or found is None or found.verdict is not VocabularyVerdict.TRANSLATABLE:
        return None
    return TokenMap(target.vocabulary, draft.vocabulary, found.overlap)


def _passes(choice: PairChoice, draft: LlamaModel | None, heads: Sequence[LoadedHead]) -> Sequence[DraftProbe]:
    models = [ModelProbe(draft_origin(choice), draft)] if draft is not None else []
    return [*models, *map(head_probe, heads)]


def _learned_keys(target: LlamaModel, draft: LlamaModel | None, heads: Sequence[LoadedHead]) -> tuple[str, str]:
    """Returns two keys: of the target's passes, which don't depend on draft or number of guesses, and of the pair."""
    plain = replace(target.settings, max_draft=0, branches=1, slots=1, mmproj=None, text_only=False)
    key = file_key(target.weights.path, plain)
    keys = [file_key(draft.weights.path, replace(draft.settings, slots=1))] if draft is not None else []
    keys += [file_key(head.path, replace(head.settings, slots=1)) for head in heads]
    return f"target {key}", "".join([key, *keys])


def _known_selftest(fact: object) -> SelfTestResult | None:
    """Returns None also for results of another version of specchat."""
    if not isinstance(fact, dict):
        return None
    try:
        details = tuple(BatchComparison(**detail) for detail in fact["details"])
        return SelfTestResult(fact["max_batch"], fact["rollback"], details, fact["max_branches"])
    except (KeyError, TypeError):
        return None


def with_room_for_drafts(choice: PairChoice) -> PairChoice:
    longest = max_draft_length(choice)
    if longest >= BATCH:
        raise SettingError(
            "{longest} guesses per pass is too many.",
            "A pass can have at most {n} guesses.",
            longest=longest,
            n=BATCH - 1,
        )
    return replace(choice, target_settings=build_target_settings(choice))


def create_chat_template(model: LlamaModel) -> ChatTemplate:
    vocabulary = model.vocabulary
    return ChatTemplate(
        model.weights.metadata("tokenizer.chat_template"),
        bos_token=vocabulary.bos_text(),
        eos_token=vocabulary.eos_text(),
        has_chatml_markers=vocabulary.has_marker("<|im_start|>") and vocabulary.has_marker("<|im_end|>"),
        control_texts=vocabulary.control_texts,
    )

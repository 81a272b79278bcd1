"""From two files to a loaded pair, the cheap checks first."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

from specchat.backends.chat_template import ChatTemplate
from specchat.backends.child import Child
from specchat.backends.llama_head import LlamaHead
from specchat.backends.llama_model import LlamaModel
from specchat.backends.preflight import HeadFile, file_key, preflight, preflight_child
from specchat.domain.cancel import CancelToken
from specchat.domain.computing import BATCH
from specchat.domain.errors import ModelLoadError, SettingError
from specchat.domain.loading import LoadStage, OnLoading
from specchat.domain.memory import MemoryParts
from specchat.domain.ports import Remembers
from specchat.domain.types import ModelSettings, PairChoice
from specchat.drafters import head_passes
from specchat.drafters.draft_model import DraftModel
from specchat.engine.first_costs import DraftPasses, ModelPasses, are_costs_known, measure_costs
from specchat.engine.selftest import BatchComparison, SelfTest, run_selftest
from specchat.gguf.files import require_consistent
from specchat.services.bench.measured import Taught
from specchat.services.generation.guesser import (
    ChosenHead,
    draft_settings,
    heads,
    longest_draft,
    needs_draft,
    target_settings,
)
from specchat.services.generation.learned import Forgetful, Learned
from specchat.services.generation.load_bar import LoadBar, expected_effort
from specchat.services.generation.pair import LoadedPair
from specchat.services.generation.room import needs, require_possible
from specchat.services.memory.estimates import Estimates
from specchat.services.models.heads import head_in
from specchat.services.models.load_faults import told_by_its_header
from specchat.services.models.model_files import require_compatible
from specchat.services.models.model_refs import file_of

_TARGET = LoadStage.CHECKING_TARGET, LoadStage.LOADING_TARGET
_DRAFT = LoadStage.CHECKING_DRAFT, LoadStage.LOADING_DRAFT


class PairLoader:
    def __init__(
        self,
        passed_first_load: Remembers,
        selftests: Remembers,
        preflight_child: Callable[[], AbstractContextManager[Child]] = preflight_child,
        estimates: Estimates | None = None,
        learned: Remembers | None = None,
        taught: Callable[[PairChoice, Taught], None] = lambda *_: None,
    ) -> None:
        """`preflight_child`: the process for the first loads of one pair, or of many where it is kept.
        `estimates`: is told what was allocated. `learned`: what answering with each pair has taught.
        `taught`: is told what that says of its draft.
        """
        self._passed = passed_first_load
        self._selftests = selftests
        self._preflight_child = preflight_child
        self._estimates = estimates
        self._learned = learned or Forgetful()
        self._taught = taught

    def load(
        self,
        choice: PairChoice,
        cancel: CancelToken,
        progress: OnLoading = lambda *_: None,
        *,
        raw: bool = False,
        selftest: bool = True,
    ) -> LoadedPair:
        """`raw`: without a chat template, whose process is then not started."""
        target_file = file_of(choice.target)
        _require_answers(target_file)
        choice = with_room_for_drafts(choice)
        draft_file = file_of(choice.draft) if choice.draft is not None and needs_draft(choice) else None
        require_consistent(target_file)
        if draft_file is not None:
            require_compatible(target_file, draft_file)

        require_possible(choice)
        tests = choice.target_settings.exact and selftest
        target_needs, draft_needs = needs(choice)
        bar = LoadBar(self._effort(target_file, draft_file, choice.target_settings, tests=tests), progress)

        with self._preflight_child() as child, ExitStack() as undo:

            def model(
                check: LoadStage,
                load: LoadStage,
                path: Path,
                settings: ModelSettings,
                needed: MemoryParts | None,
                head_files: Sequence[HeadFile] = (),
            ) -> LlamaModel:
                bar.show(check)
                with told_by_its_header(path):
                    preflight(path, settings, self._passed, child, cancel, needed, head_files)
                    loaded = LlamaModel(path, settings, cancel, partial(bar.show, load))
                if self._estimates is not None:
                    self._estimates.loaded(path, settings, loaded.allocated)
                return loaded

            chosen = heads(choice)
            head_files = [_head_file(choice, head, choice.target_settings.n_ctx or 0) for head in chosen]
            target = model(*_TARGET, target_file, choice.target_settings, target_needs, head_files)
            undo.callback(target.close)
            template = chat_template(target)
            undo.callback(template.close)
            if not raw:
                template.warm_up()
            draft = None
            if draft_file is not None and not any(head.file for head in chosen):
                draft = model(*_DRAFT, draft_file, draft_settings(choice, target.n_ctx), draft_needs)
                undo.callback(draft.close)
            loaded = list[LlamaHead]()
            for head in chosen:
                loaded.append(self._head(_head_file(choice, head, target.n_ctx), target, cancel, bar))
                undo.callback(loaded[-1].close)
            if loaded:
                target.watch([layer for head in loaded for layer in head.layers])
            tested = None
            if tests:
                bar.show(LoadStage.SELF_TEST)
                tested = self._selftest(target, cancel)
            keys = _learned_keys(target, draft, loaded)
            learned = self._learned_of(keys, target, _passes(draft, loaded), cancel, bar)
            remember = partial(self._remember, keys, choice, learned)
            pair = LoadedPair(choice, target, draft, template, tested, learned, remember, loaded)
            undo.pop_all()
        return pair

    def _head(self, file: HeadFile, target: LlamaModel, cancel: CancelToken, bar: LoadBar) -> LlamaHead:
        """Its first load was tried with its target's."""
        bar.show(LoadStage.LOADING_DRAFT)
        progress = partial(bar.show, LoadStage.LOADING_DRAFT)
        return LlamaHead(file.kind, target, file.path, file.settings, cancel, progress)

    def _effort(
        self, target: Path, draft: Path | None, settings: ModelSettings, *, tests: bool
    ) -> dict[LoadStage, float]:
        """That the target was loaded before tells of its draft as well, most of the time."""
        return expected_effort(
            target.stat().st_size,
            draft.stat().st_size if draft is not None else 0,
            is_first=not self._passed.get(file_key(target, settings)),
            is_exact=tests,
        )

    def _learned_of(
        self,
        keys: tuple[str, str],
        target: LlamaModel,
        drafts: Sequence[DraftPasses],
        cancel: CancelToken,
        bar: LoadBar,
    ) -> Learned:
        """What was measured while the computer was too busy is not kept: it is measured anew."""
        learned = Learned.of(*map(self._learned.get, keys))
        if target.max_batch > 1 and not are_costs_known(target, drafts, learned.costs):
            bar.show(LoadStage.MEASURING_SPEED)
            measure_costs(target, drafts, learned.costs, cancel)
        return learned

    def _remember(self, keys: tuple[str, str], choice: PairChoice, learned: Learned) -> None:
        for key, fact in zip(keys, (learned.target_fact(), learned.fact()), strict=True):
            self._learned.put(key, fact)
        decides = needs_draft(choice) and choice.draft_max is None
        taught = learned.taught() if decides else None
        if taught is not None:
            self._taught(choice, taught)

    def _selftest(self, target: LlamaModel, cancel: CancelToken) -> SelfTest:
        key = file_key(target.weights.path, target.settings)
        known = _known_selftest(self._selftests.get(key))
        if known is not None:
            return known
        result = run_selftest(target, cancel)
        self._selftests.put(key, asdict(result))
        return result


def _require_answers(target: Path) -> None:
    head = head_in(target)
    if head is not None and head.is_own_file:
        raise ModelLoadError(
            "{name} is a head: it guesses for its target and cannot answer itself.",
            "Choose its target (-m), and this file as the draft (-md).",
            name=target.name,
        )


def _head_file(choice: PairChoice, head: ChosenHead, n_ctx: int) -> HeadFile:
    file = file_of(head.file) if head.file is not None else None
    return HeadFile(head.kind, file, draft_settings(choice, n_ctx, head.kind))


def _passes(draft: LlamaModel | None, heads: Sequence[LlamaHead]) -> Sequence[DraftPasses]:
    models = [ModelPasses(DraftModel.name, draft)] if draft is not None else []
    return [*models, *map(head_passes, heads)]


def _learned_keys(target: LlamaModel, draft: LlamaModel | None, heads: Sequence[LlamaHead]) -> tuple[str, str]:
    """Of the target's passes, which are the same with every draft and number of guesses, and of the pair."""
    key = file_key(target.weights.path, replace(target.settings, max_draft=0))
    keys = [file_key(draft.weights.path, draft.settings)] if draft is not None else []
    keys += [file_key(head.weights.path, head.settings) for head in heads]
    return f"target {key}", "".join([key, *keys])


def _known_selftest(fact: object) -> SelfTest | None:
    """None as well where another version of this program wrote it."""
    if not isinstance(fact, dict):
        return None
    try:
        details = tuple(BatchComparison(**detail) for detail in fact["details"])
        return SelfTest(fact["max_batch"], fact["rollback"], details)
    except (KeyError, TypeError):
        return None


def with_room_for_drafts(choice: PairChoice) -> PairChoice:
    longest = longest_draft(choice)
    if longest >= BATCH:
        raise SettingError(
            "A draft of {longest} tokens is too long.", "At most {n} fit into one pass.", longest=longest, n=BATCH - 1
        )
    return replace(choice, target_settings=target_settings(choice))


def chat_template(model: LlamaModel) -> ChatTemplate:
    vocabulary = model.vocabulary
    return ChatTemplate(
        model.weights.metadata("tokenizer.chat_template"),
        bos_token=vocabulary.bos_text(),
        eos_token=vocabulary.eos_text(),
        has_chatml_markers=vocabulary.knows("<|im_start|>") and vocabulary.knows("<|im_end|>"),
        control_texts=vocabulary.control_texts,
    )

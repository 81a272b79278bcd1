"""Tests whether a pair can reproduce the target's answers exactly on this machine."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from specchat.backends.rpc_loss import told_of_losses
from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import MOST_BRANCHES
from specchat.domain.errors import EngineStoppedError
from specchat.domain.loading import LoadStage, OnLoading
from specchat.domain.types import PairChoice
from specchat.engine.selftest import LARGEST_BATCH, SelfTestResult, run_selftest
from specchat.services.generation.pair_loader import PairLoader


@dataclass(frozen=True, slots=True)
class PairSelfTest:
    target: SelfTestResult
    draft_rollback: bool | None


def run_self_test(
    loader: PairLoader,
    choice: PairChoice,
    cancel: CancelToken,
    progress: OnLoading = lambda *_: None,
    on_lost: Callable[[EngineStoppedError], None] = lambda _: None,
) -> PairSelfTest:
    """Runs the self-test even if an earlier result is known. `on_lost`: called before this process ends because it lost
    another machine.
    """
    with told_of_losses(choice.target_settings.rpc, on_lost):
        return _run(loader, choice, cancel, progress)


def _run(loader: PairLoader, choice: PairChoice, cancel: CancelToken, progress: OnLoading) -> PairSelfTest:
    settings = replace(choice.target_settings, branches=MOST_BRANCHES)
    tested = replace(choice, draft_max=LARGEST_BATCH - 1, target_settings=settings)
    pair = loader.load(tested, cancel, progress, raw=True, selftest=False)
    try:
        progress(LoadStage.SELF_TEST, 0.0)
        target = run_selftest(pair.target, cancel, partial(progress, LoadStage.SELF_TEST))
        draft = run_selftest(pair.draft, cancel).rollback if pair.draft is not None else None
    finally:
        pair.close()
    return PairSelfTest(target, draft)

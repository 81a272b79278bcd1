"""Measures what a target's first layers would bring as its draft, on short answers that the target writes once."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from specchat.domain.cancel_token import CancelToken
from specchat.domain.drafter_types import MODEL, NONE
from specchat.domain.errors import Cancelled
from specchat.domain.model_ref import ModelFile
from specchat.domain.ports import LanguageModel
from specchat.domain.types import (
    DRAFT,
    FinishReason,
    GenerationFinished,
    Message,
    ModelSettings,
    PairChoice,
    Role,
    SamplingParams,
    TokenEvent,
)
from specchat.services.bench.measured_pairs import ObservedSpeed
from specchat.services.bench.workloads import workload_prompts
from specchat.services.chat.request_builder import AnswerOptions, build_chat_request
from specchat.services.drafts.early_exit_speed import RightGuesses, replay
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.pair_loader import PairLoader

_WORKLOADS = ("chat", "code", "translate", "maths", "list")
_ANSWER = 64
"""Tokens of each answer that the drafts are compared with."""

OnProgress = Callable[[str, float], None]
"""Called with the current step and its progress."""


@dataclass(frozen=True, slots=True)
class _Answer:
    prompt: tuple[int, ...]
    tokens: tuple[int, ...]


class EarlyExitTrials:
    """The first draft has the target write the answers, for all of them."""

    def __init__(self, target: Path, loader: PairLoader, settings: ModelSettings, cancel: CancelToken) -> None:
        self._target = target
        self._loader = loader
        self._settings = settings
        self._cancel = cancel
        self._answers: list[_Answer] = []

    def measure(self, draft: Path, progress: OnProgress) -> ObservedSpeed:
        choice = PairChoice(ModelFile(self._target), ModelFile(draft), self._settings, self._settings, draft_type=MODEL)
        progress("loading", 0.0)
        with closing(self._loader.load(choice, self._cancel, lambda _, part: progress("loading", part))) as pair:
            costs, longest = pair.profile.costs, min(pair.target.max_batch - 1, pair.target.max_rollback)
            passes = costs.passes(longest + 1)
            guess_s = costs.guess(DRAFT) or passes[0]
            if not self._answers:
                self._write_answers(pair, progress)
            assert pair.draft is not None
            guesses = []
            for at, answer in enumerate(self._answers):
                progress("guessing", at / len(self._answers))
                guesses.append(_guesses(pair.draft, answer, self._cancel))
        found = replay(guesses, passes, guess_s)
        return ObservedSpeed(found.speedup, found.acceptance, found.speedup / passes[0])

    def _write_answers(self, pair: LoadedPair, progress: OnProgress) -> None:
        prompts = workload_prompts(_WORKLOADS, 1)
        for at, prompt in enumerate(prompts):
            progress("answering", at / len(prompts))
            self._answers.append(_answer(pair, prompt.text, self._cancel))


def _answer(pair: LoadedPair, prompt: str, cancel: CancelToken) -> _Answer:
    """What the target writes by itself."""
    options = AnswerOptions(SamplingParams(temperature=0.0), _ANSWER)
    request = build_chat_request(pair, [Message(Role.USER, prompt)], options)
    tokens = []
    for event in pair.generate(request, cancel, pair.create_speculation(NONE, None)):
        match event:
            case TokenEvent(token=token):
                tokens.append(token)
            case GenerationFinished(reason=FinishReason.CANCELLED):
                raise Cancelled
    return _Answer(request.prompt, tuple(tokens))


def _guesses(draft: LanguageModel, answer: _Answer, cancel: CancelToken) -> RightGuesses:
    """What the draft would say after each token of the text: as long as it is right, it sees the same."""
    text = np.array([*answer.prompt, *answer.tokens], dtype=np.int32)
    at, end = len(answer.prompt) - 1, len(text) - 1
    draft.keep(0)
    draft.evaluate(text[:at], 0, cancel)
    found: list[tuple[float, bool]] = []
    while at < end:
        count = min(draft.max_batch, end - at)
        logits = draft.evaluate(text[at : at + count], count, cancel)
        is_right = logits.argmax(axis=1) == text[at + 1 : at + 1 + count]
        scores: Sequence[float] = (1 / np.exp(logits - logits.max(axis=1, keepdims=True)).sum(axis=1)).tolist()
        found += zip(scores, is_right.tolist(), strict=True)
        at += count
    return found

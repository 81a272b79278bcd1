"""The decoding loop: guess, verify in one pass, roll back, commit; plain without a drafter.

Between two events, the target's cache contains the prompt and the answer except the last token (or the last few tokens
if a side branch won), which the next pass computes first. So the generator may be closed at any event.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, ContextFullError, DrafterError, SettingError
from specchat.domain.ports import Constraint, LanguageModel
from specchat.domain.proposal import Probes, Proposal
from specchat.domain.speculation_status import OffReason, SpeculationOff, speculation_text
from specchat.domain.translatable_text import group_digits
from specchat.domain.types import (
    TARGET,
    FinishReason,
    GenerationEvent,
    GenerationFinished,
    GenerationRequest,
    PromptProgress,
    SampledToken,
    StepStats,
    TokenEvent,
    TokenLogprobs,
)
from specchat.engine.draft_texts import DraftTexts
from specchat.engine.gap_sampler import GapSampler
from specchat.engine.logprobs import token_logprobs
from specchat.engine.sampling import Logits, Sampler
from specchat.engine.saved_time import SavedTime
from specchat.engine.stats import StatsRecorder
from specchat.engine.step_costs import StepCosts
from specchat.engine.strategy import NO_PAUSE, StepOutcome, Strategy
from specchat.engine.text_stream import TextStream
from specchat.engine.tokens import TokenBuffer, Tokens, common_prefix, cut
from specchat.engine.verify import judge_guesses, verify_guesses

PREFILL_CHUNK = 512


@dataclass(frozen=True, slots=True)
class NoSpeculation:
    reason: OffReason


_NOTHING = Proposal()

Speculation = Strategy | NoSpeculation


class _Context:
    """The context that a drafter gets."""

    def __init__(
        self,
        target: LanguageModel,
        history: TokenBuffer,
        sampler: Sampler,
        cancel: CancelToken,
        texts: DraftTexts,
        constraint: Constraint | None,
    ) -> None:
        self.target = target
        self.cancel = cancel
        self.constraint = constraint
        self._history = history
        self._texts = texts
        self._sampler = sampler
        self._n_vocab = target.n_vocab

    @property
    def tokens(self) -> Tokens:
        return self._texts.whole.view

    @property
    def draft_tokens(self) -> Tokens:
        return self._texts.read.view

    @property
    def text_tokens(self) -> Tokens:
        return self._texts.text.view

    def guess(self, logits: Logits, drafted: Sequence[int]) -> SampledToken:
        return self._sampler.guess(logits[: self._n_vocab], self._history.view, drafted)

    def guess_earlier(self, logits: Logits, length: int) -> SampledToken:
        return self._sampler.guess(logits[: self._n_vocab], self._history.view[:length], ())

    def worth_another(self, score: float) -> bool:
        return True


class _Chosen(NamedTuple):
    choice: SampledToken
    guess: int | None
    """The index of the accepted guess. None: the token was not guessed."""
    text: str
    logprobs: TokenLogprobs | None


class Generation:
    """One answer. Iterate `events()` once."""

    def __init__(
        self,
        target: LanguageModel,
        request: GenerationRequest,
        speculation: Speculation,
        costs: StepCosts,
        cancel: CancelToken,
        clock: Callable[[], float] = time.perf_counter,
        wall: Callable[[], float] | None = None,
    ) -> None:
        """`clock` measures this answer's own time. If answers share passes, `wall` measures the real time."""
        check_prompt(request.prompt, target)
        self._target = target
        self._request = request
        self._speculation = speculation
        self._costs = costs
        self._cancel = cancel
        self._clock = clock
        self._history = TokenBuffer(request.prompt, capacity=target.n_ctx + 1)
        # With a constraint, end tokens stay allowed, because it permits the end only where the text may end.
        goes_on = request.ignore_eos and request.constraint is None
        self._sampler = Sampler(
            request.sampling,
            forbidden=target.end_tokens if goes_on else (),
            probabilities=request.probabilities,
            bias=request.logit_bias,
            gap=GapSampler(target.piece, target.end_tokens) if request.narrows_gap else None,
        )
        self._texts = DraftTexts(self._history, request.text_before)
        self._context = _Context(target, self._history, self._sampler, cancel, self._texts, request.constraint)
        self._text = TextStream(request.stop)
        self._recorder = StatsRecorder(wall or clock)
        self._savings = SavedTime(costs)
        self._n_generated = 0
        self._ended = False
        self._pause = NO_PAUSE
        self._n_unasked, self._unasked_s = 0, 0.0
        self._off: tuple[OffReason | None, OffReason | None] = None, None
        """Why there are no guesses at present, and why the draft is not asked, when the strategy was last asked."""

    def events(self) -> Iterator[GenerationEvent]:
        reason = FinishReason.CANCELLED
        if not isinstance(self._speculation, NoSpeculation):
            self._speculation.begin(sampled=self._request.sampling.temperature > 0)
            self._pause = self._speculation.pause
        try:
            yield from self._prefill()
            while (final := self._why_finished()) is None:
                yield from self._step()
            reason = final
        except Cancelled:
            pass
        if not isinstance(self._speculation, NoSpeculation):
            self._end_pause(self._speculation)
        stats = self._recorder.result(speculation_text(self._why_off() or self._why_none()))
        rest = self._text.finish()
        yield GenerationFinished(
            reason,
            rest,
            stats,
            self._context_is_full() and reason is FinishReason.LENGTH,
            stop_text=self._text.stopped_at,
        )

    def _why_off(self) -> OffReason | None:
        speculation = self._speculation
        return speculation.reason if isinstance(speculation, NoSpeculation) else speculation.off_reason

    def _why_none(self) -> OffReason | None:
        """Why the answer has no guesses. None if it has some."""
        speculation = self._speculation
        return (
            None
            if self._recorder.has_guesses or isinstance(speculation, NoSpeculation)
            else speculation.no_guess_reason
        )

    def _draft_off(self) -> OffReason | None:
        speculation = self._speculation
        return None if isinstance(speculation, NoSpeculation) else speculation.draft_off_reason

    def _prefill(self) -> Iterator[GenerationEvent]:
        """Computes the part of the prompt that is not cached, and the first token, without waiting for the draft."""
        target, prompt = self._target, self._history.view
        reused = target.keep(min(common_prefix(target.cached, prompt), len(prompt) - 1))
        self._recorder.n_prompt, self._recorder.n_prompt_reused = len(prompt), reused
        start = self._clock()
        logits: Logits | None = None
        for begin, end in cut(prompt[reused:], PREFILL_CHUNK):
            yield PromptProgress(begin, len(prompt) - reused, reused)
            is_last = reused + end == len(prompt)
            logits = target.evaluate(prompt[reused + begin : reused + end], int(is_last), self._cancel)
            if not is_last and not isinstance(self._speculation, NoSpeculation):
                self._speculation.follow(self._context)
        if logits is not None:
            logits = logits.copy()  # other answers may compute before this one continues
        yield PromptProgress(len(prompt) - reused, len(prompt) - reused, reused)
        self._recorder.record_prefill(self._clock() - start)
        if self._request.max_tokens == 0:
            return
        assert logits is not None
        yield from self._commit(_NOTHING, logits, 0, draft_s=0.0, target_s=0.0)

    def _step(self) -> Iterator[GenerationEvent]:
        started = self._clock()
        proposal = self._propose()
        drafted = self._clock()
        draft_s = 0.0 if isinstance(self._speculation, NoSpeculation) else drafted - started
        missing = self._history.view[len(self._target.cached) :]  # the last token, or more if the cache was lost
        more = proposal.rows or self._trial()
        batch = np.array([*missing, *more], dtype=np.int32) if more else missing
        if proposal.row_parents:
            logits = self._target.evaluate_tree(batch, proposal.row_parents, self._cancel)
        else:
            logits = self._target.evaluate(batch, 1 + len(more), self._cancel)
        evaluated = self._clock()
        self._costs.observe_pass(len(batch), evaluated - drafted, len(self._history))
        yield from self._commit(proposal, logits, len(batch), draft_s=draft_s, target_s=evaluated - drafted)

    def _propose(self) -> Proposal:
        speculation = self._speculation
        if isinstance(speculation, NoSpeculation):
            return _NOTHING
        if self._n_unasked < self._pause.n_steps:
            self._n_unasked += 1
            return _NOTHING
        self._end_pause(speculation)
        room = max(0, self._room())
        try:
            proposal = speculation.propose(self._context, room)
        except DrafterError as error:
            self._speculation = NoSpeculation(error.failed)
            return _NOTHING
        if proposal.rows:
            return self._usable(proposal, room)
        self._pause = speculation.pause
        return _NOTHING

    def _end_pause(self, speculation: Strategy) -> None:
        if self._n_unasked:
            speculation.observe_pause(self._n_unasked, self._unasked_s)
        self._pause, self._n_unasked, self._unasked_s = NO_PAUSE, 0, 0.0

    def _trial(self) -> Sequence[int]:
        """Returns tokens of this text, because a mixture of experts then uses as many experts as usual."""
        if not self._pause.n_trial or self._n_unasked or isinstance(self._speculation, NoSpeculation):
            return ()
        latest: list[int] = self._texts.whole.view[-self._pause.n_trial :].tolist()
        return latest

    def _usable(self, proposal: Proposal, budget: int) -> Proposal:
        """Removes guesses that can't be verified: a drafter may be foreign code, have a larger vocabulary, or not know
        the grammar.
        """
        n_vocab = self._target.n_vocab
        known = next((i for i, token in enumerate(proposal.tokens) if not 0 <= token < n_vocab), len(proposal.tokens))
        usable = proposal.first(min(known, budget))
        if len(usable.rows) > budget:
            usable = replace(usable, probes=Probes())
        if not 1 < usable.n_branches <= self._target.max_branches:
            usable = usable.main_branch()
        constraint = self._request.constraint
        if constraint is None or usable.row_parents:
            return usable
        return usable.first(constraint.count_allowed(usable.tokens))

    def _room(self) -> int:
        """The maximum number of guesses that can be verified, rolled back, and emitted."""
        target = self._target
        n_missing = len(self._history) - len(target.cached)
        rooms = [target.max_batch - n_missing, target.max_rollback, target.n_ctx - len(self._history)]
        if self._request.max_tokens is not None:
            rooms.append(self._request.max_tokens - self._n_generated - 1)
        return min(rooms)

    def _commit(
        self, proposal: Proposal, logits: Logits, pass_size: int, *, draft_s: float, target_s: float
    ) -> Iterator[GenerationEvent]:
        """`pass_size`: the number of tokens in the pass. 0 for the pass over the prompt."""
        started, from_prompt = self._clock(), not pass_size
        chosen = self._choose(proposal, logits)
        n_chosen = len(chosen)
        n_asked = n_chosen if self._ended or self._text.stopped else None
        verdict = judge_guesses(proposal, [token.guess for token in chosen if token.guess is not None], n_asked)
        self._roll_back(verdict.held[verdict.n_main : n_chosen - 1])
        if not self._n_unasked:
            self._off = self._why_off(), self._draft_off()
        step = StepStats(
            drafted=len(verdict.origins),
            accepted=len(verdict.held),
            emitted=n_chosen,
            draft_s=draft_s,
            target_s=target_s,
            sample_s=self._clock() - started,
            origins=verdict.origins,
            saved_s=0.0 if from_prompt else self._saved(proposal, pass_size, n_chosen, draft_s, target_s),
            saved_is_rough=self._savings.is_rough,
            why_off=self._off[0],
            draft_off=self._off[1],
            tree=verdict.tree,
        )
        self._n_generated += n_chosen
        self._recorder.record_step(step, from_prompt=from_prompt)
        if not from_prompt:
            probed = logits[1 + len(proposal.tokens) :] if proposal.probes.tokens else None
            self._tell_strategy(chosen, verdict.n_main, draft_s + target_s, probed)
        for position, token in enumerate(chosen):
            yield TokenEvent(
                token=token.choice.token,
                text=token.text,
                origin=TARGET if token.guess is None else proposal.origins[token.guess],
                draft_position=None if token.guess is None else position,
                probability=token.choice.probability,
                step=step if position == n_chosen - 1 else None,
                logprobs=token.logprobs,
            )

    def _saved(self, proposal: Proposal, pass_size: int, emitted: int, draft_s: float, target_s: float) -> float:
        if isinstance(self._speculation, NoSpeculation) and pass_size == 1:
            return -draft_s
        is_trial = not proposal.tokens
        return self._savings.step_savings(pass_size, emitted, draft_s, target_s, len(self._history), is_trial=is_trial)

    def _choose(self, proposal: Proposal, logits: Logits) -> list["_Chosen"]:
        chosen = list[_Chosen]()
        for choice, row, guess in verify_guesses(proposal, lambda row: self._choice(logits[row])):
            text = self._append(choice.token)
            chosen.append(_Chosen(choice, guess, text, self._logprobs(logits[row], choice.token)))
            if self._ended or self._text.stopped:
                break
        return chosen

    def _choice(self, logits: Logits) -> SampledToken:
        """Calculates the allowed tokens only if the target's choice is not allowed, because this takes long."""
        constraint = self._request.constraint
        choice = self._sampler.choose(logits, self._history.view)
        if constraint is None or constraint.allows(choice.token):
            return choice
        return self._sampler.choose(constraint.mask(logits), self._history.view)

    def _append(self, token: int) -> str:
        request = self._request
        self._history.append(token)
        self._texts.append(token)
        if request.constraint is not None:
            request.constraint.accept(token)
        self._ended = self._target.is_end_token(token)
        return "" if self._ended else self._text.push(self._piece(token))

    def _piece(self, token: int) -> bytes:
        return self._request.markers.get(token) or self._target.piece(token)

    def _logprobs(self, logits: Logits, token: int) -> TokenLogprobs | None:
        count = self._request.top_logprobs
        return None if count is None else token_logprobs(logits, token, count, self._piece)

    def _roll_back(self, beside: Sequence[int]) -> None:
        """Removes rejected guesses from the cache. A model that can't do this forgets everything, and the next step
        computes it again.

        `beside`: accepted guesses of a side branch, except the last token. The next pass computes them again, so that
        the cache is always in the order of the text.
        """
        wanted = len(self._history) - 1 - len(beside)
        if self._target.keep(wanted) < wanted:
            self._speculation = NoSpeculation(SpeculationOff.CANNOT_TAKE_BACK)
        elif beside:
            self._target.adopt_states(beside)

    def _tell_strategy(self, chosen: Sequence[_Chosen], accepted: int, seconds: float, probed: Logits | None) -> None:
        if isinstance(self._speculation, NoSpeculation):
            return
        if self._n_unasked:
            self._unasked_s += seconds
            return
        try:
            self._speculation.observe(StepOutcome([token.choice.token for token in chosen], accepted, seconds, probed))
        except DrafterError as error:
            self._speculation = NoSpeculation(error.failed)

    def _why_finished(self) -> FinishReason | None:
        if self._cancel.cancelled:
            return FinishReason.CANCELLED
        if self._ended or self._text.stopped:
            return FinishReason.STOP
        if self._n_generated == self._request.max_tokens or self._context_is_full():
            return FinishReason.LENGTH
        return None

    def _context_is_full(self) -> bool:
        return len(self._history) > self._target.n_ctx


def check_prompt(prompt: Sequence[int], target: LanguageModel) -> None:
    if not prompt:
        raise SettingError("The prompt is empty.", "Pass a prompt with -p.")
    if len(prompt) >= target.n_ctx:
        trained = target.n_ctx_trained
        raise ContextFullError(
            "The prompt has {needed} tokens, but the context holds only {all}, including the answer.",
            "Use a larger context (-c {larger}), or shorten the prompt."
            if len(prompt) < trained
            else "Shorten the prompt: the target was trained for a context of {trained} tokens.",
            needed=group_digits(len(prompt)),
            all=group_digits(target.n_ctx),
            larger=min(2 * len(prompt), trained),
            trained=group_digits(trained),
        )

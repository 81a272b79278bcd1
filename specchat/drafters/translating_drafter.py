"""The drafter for a smaller model with another vocabulary."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from specchat.domain.compute_settings import BATCH
from specchat.domain.errors import ComputeError, ContextFullError, DrafterError
from specchat.domain.ports import DraftContext, LanguageModel
from specchat.domain.proposal import Proposal
from specchat.domain.speculation_status import DrafterFailure
from specchat.domain.types import DRAFT, SampledToken
from specchat.drafters.guess_list import GuessList
from specchat.drafters.token_map import TokenMap
from specchat.drafters.translated_text import TranslatedText, split_incomplete
from specchat.engine.sampling import Logits, best_against_second
from specchat.engine.tokens import Tokens, common_prefix

_REMINDER = 2
"""Times what is rehearsed: so much text leads to it."""
_MOST_SAID = 4
"""Times the budget: so many of its own tokens it says at most."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A token of the draft, and how clearly it won."""

    token: int
    score: float
    text: bytes
    """What it adds to the text."""


@dataclass(slots=True)
class _Ahead:
    """What it said after a text, whether or not guesses came of it."""

    text: Tokens = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    said: list[_Said] = field(default_factory=list)

    def after(self, text: Tokens) -> list[_Said]:
        """Returns the guesses that are left if the text continued as guessed."""
        n_more = len(text) - len(self.text)
        if not 0 <= n_more <= len(self.said) or common_prefix(self.text, text) < len(self.text):
            return []
        is_same = [said.token for said in self.said[:n_more]] == text[len(self.text) :].tolist()
        return self.said[n_more:] if is_same else []


class TranslatingDrafter:
    """Reads the text in its own tokens. Where both vocabularies have nearly the same ones, it guesses tokens of the
    target; otherwise it writes on, and what it wrote is cut into tokens of the target.
    """

    name = DRAFT

    def __init__(self, model: LanguageModel, token_map: TokenMap) -> None:
        self._model = model
        self._map = token_map
        self._text = TranslatedText(token_map)
        self._hidden = 0
        """Tokens of the target at the beginning that it does not look at."""
        self._ahead = _Ahead()

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        self._follow(context)
        if budget <= 0 or not self._text.is_whole or len(self._text.tokens) > self._model.n_ctx:
            return Proposal()
        choices = self._guess_tokens(context) if self._map.is_direct else self._guess_text(context, budget)
        guesses = GuessList(self.name)
        with _as_drafter_error():
            for choice in choices:
                score = guesses.add(choice)
                if len(guesses) == budget or not context.worth_another(score):
                    break
        return guesses.proposal()

    def observe(self, accepted: int, proposal: Proposal) -> None:
        pass

    # Guessing

    def _guess_tokens(self, context: DraftContext) -> Iterator[SampledToken]:
        guessed, ahead = list[int](), _Ahead(self._text.tokens.copy())
        while (logits := self._logits_after(ahead, context)) is not None and not self._wants_to_end(logits):
            choice = context.guess(self._map.target_logits(logits), guessed)
            guessed.append(choice.token)
            ahead.said.append(_Said(int(self._map.to_draft[choice.token]), 0.0, b""))
            yield choice

    def _guess_text(self, context: DraftContext, budget: int) -> Iterator[SampledToken]:
        """A token is sure once what comes after it leaves it as it is."""
        text, written, score, n_sure = b"", list[int](), 1.0, 0
        for said in self._say(context, _MOST_SAID * budget, written):
            before = written.copy()
            text += said.text
            written[:] = self._map.target.tokenize_on(split_incomplete(text)[0])
            score *= said.score
            sure = min(_n_same(before, written), len(written) - 1)
            for token in written[n_sure:sure]:
                yield SampledToken(token, score)
                score = 1.0
            n_sure = max(n_sure, sure)
        for token in written[n_sure:]:
            yield SampledToken(token, score)

    def _say(self, context: DraftContext, count: int, written: Sequence[int]) -> Iterator[_Said]:
        """What it said before comes first. `written`: what that is in the target's tokens, as it grows."""
        ahead, logits = self._go_on(context)
        for i in range(count):
            if i == len(ahead.said):
                if logits is None:
                    logits = self._logits_after(ahead, context)
                if logits is None or self._wants_to_end(logits):
                    return
                ahead.said.append(self._choose(logits, lambda mapped: context.guess(mapped, written)))
                logits = None
            yield ahead.said[i]

    def _go_on(self, context: DraftContext) -> tuple[_Ahead, Logits | None]:
        """From what it said already, or else from the text, whose last token may be the beginning of another one: then
        it would not have said it. The logits after the text, where they are known.
        """
        text, logits = self._text.tokens.copy(), None
        said = self._ahead.after(text)
        if not said and len(text) > 1 and self._model.max_batch > 1:
            longer, logits = self._read_last_twice(text, context)
            if longer is not None:
                text, said, logits = text[:-1], [longer], None
        self._ahead = _Ahead(text, said)
        return self._ahead, logits

    def _read_last_twice(self, text: Tokens, context: DraftContext) -> tuple[_Said | None, Logits]:
        """What it would have said in place of the last token and further text; and the logits after the text."""
        piece = self._map.draft_pieces[text[-1]]
        known = self._model.keep(min(common_prefix(self._model.cached, text), len(text) - 2))
        if len(text) - known > BATCH:
            self._model.evaluate(text[known:-2], 0, context.cancel)
            known = len(text) - 2
        before, after = self._model.evaluate(text[known:], 2, context.cancel)
        if not piece:
            return None, after
        tokens = self._map.draft_tokens_beginning_with(piece)
        choice = best_against_second(before[tokens])
        best = int(tokens[choice.token])
        further = self._map.draft_pieces[best][len(piece) :]
        return _Said(best, choice.probability or 0.0, further) if further else None, after

    def _choose(self, logits: Logits, guess: Callable[[Logits], SampledToken]) -> _Said:
        """As the target would, unless only the draft has the token that it likes best."""
        choice = best_against_second(logits)
        token = choice.token
        if self._map.to_target[token] >= 0:
            choice = guess(self._map.target_logits(logits))
            token = int(self._map.to_draft[choice.token])
        return _Said(token, choice.probability or 0.0, self._map.draft_pieces[token])

    def _logits_after(self, ahead: _Ahead, context: DraftContext) -> Logits | None:
        """None: there is no room for it."""
        text = ahead.text
        if ahead.said:
            text = np.concatenate([text, np.array([said.token for said in ahead.said], dtype=np.int32)])
        if len(text) > self._model.n_ctx:
            return None
        known = self._model.keep(min(common_prefix(self._model.cached, text), len(text) - 1))
        logits: Logits = self._model.evaluate(text[known:], 1, context.cancel)[0]
        return logits

    def _wants_to_end(self, logits: Logits) -> bool:
        return self._model.is_end_token(int(logits.argmax()))

    # Reading

    @property
    def n_skipped(self) -> int:
        return self._hidden

    @property
    def usual_lag(self) -> int:
        return 3

    def n_missed(self, context: DraftContext) -> int:
        known = self._follow(context)
        return len(context.draft_tokens) - self._hidden - self._text.n_known(known)

    def restart_with_last(self, context: DraftContext, n_tokens: int) -> None:
        self._model.keep(0)
        self._hidden = max(0, len(context.draft_tokens) - n_tokens)

    def _follow(self, context: DraftContext) -> int:
        """How many tokens of its text are known. In another text it looks at all."""
        known = self._read(context)
        if (
            self._hidden
            and known <= self._text.n_tokens_at(0)
            and (len(self._model.cached) or self._hidden >= len(context.draft_tokens))
        ):
            self._hidden = 0
            known = self._read(context)
        return known

    def _read(self, context: DraftContext) -> int:
        self._text.follow(context.draft_tokens[self._hidden :])
        return common_prefix(self._model.cached, self._text.tokens)

    def rehearse(self, context: DraftContext, count: int) -> Sequence[tuple[float, bool]]:
        """Rehearses with a gap before the last tokens, like a draft with the same vocabulary."""
        with _as_drafter_error():
            return self._rehearse(context, count)

    def _rehearse(self, context: DraftContext, count: int) -> Sequence[tuple[float, bool]]:
        model, text = self._model, self._text
        known = model.keep(self._follow(context))
        n_read, end = len(context.draft_tokens) - self._hidden, len(text.tokens)
        first = n_read - count
        if first < 1 or not text.is_whole:
            return []
        n_logits = min(end - text.n_tokens_at(first), model.max_batch)
        start = max(known, end - 1 - _REMINDER * n_logits)
        if n_logits < 1 or end - 1 - start < n_logits or known + end - start > model.n_ctx:
            return []
        logits = model.evaluate(text.tokens[start : end - 1], n_logits, context.cancel).copy()
        results = [
            self._compare(logits, end - n_logits, at, context)
            for at in range(first, n_read)
            if text.is_even_at(at) and end - n_logits <= text.n_tokens_at(at) < text.n_tokens_covering(at + 1)
        ]
        self._time_a_guess(context, round((end - text.n_tokens_at(first)) / count), results)
        model.keep(known)
        return results

    def _compare(self, logits: Logits, first_row: int, at: int, context: DraftContext) -> tuple[float, bool]:
        """Would it have guessed this token of the target, all of it?"""
        length, score, held = len(context.tokens) - len(context.draft_tokens) + self._hidden + at, 1.0, True
        for place in range(self._text.n_tokens_at(at), self._text.n_tokens_covering(at + 1)):
            said = self._choose(logits[place - first_row], lambda mapped: context.guess_earlier(mapped, length))
            score *= said.score
            held = held and said.token == self._text.tokens[place]
        return score, held

    def _time_a_guess(self, context: DraftContext, n_passes: int, results: Sequence[tuple[float, bool]]) -> None:
        score = results[-1][0] if results else 0.0
        context.worth_another(score)
        for _ in range(max(1, n_passes)):
            logits = self._model.evaluate(self._text.tokens[-1:], 1, context.cancel)[0]
            context.guess(self._map.target_logits(logits), ())
        context.worth_another(score)


@contextmanager
def _as_drafter_error() -> Iterator[None]:
    try:
        yield
    except (ComputeError, ContextFullError) as error:
        raise DrafterError(DrafterFailure(error.message)) from error


def _n_same(a: Sequence[int], b: Sequence[int]) -> int:
    return next((i for i, (one, other) in enumerate(zip(a, b, strict=False)) if one != other), min(len(a), len(b)))

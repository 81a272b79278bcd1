"""One pair at a time, and what a conversation asks of it."""

from collections.abc import Iterator

from specchat.domain.answering import AnswerEvent, AnswerTask, ContextCount, CountTask, PairInfo
from specchat.domain.cancel import CancelToken
from specchat.domain.errors import SettingError
from specchat.domain.ports import Journal
from specchat.domain.types import Message, PairChoice, Role
from specchat.engine.speculative import NoGuessing
from specchat.services.answering import write_answer
from specchat.services.conversation import newest_turns
from specchat.services.loading import PairLoader, Progress
from specchat.services.pair import LoadedPair


class LocalEngine:
    """The models in this process."""

    def __init__(self, loader: PairLoader) -> None:
        self._loader = loader
        self._pair: LoadedPair | None = None
        self._count: tuple[tuple[Message, ...], int, int] | None = None

    def load(self, choice: PairChoice, cancel: CancelToken, progress: Progress) -> PairInfo:
        """The pair before makes room first: both may not fit."""
        self.close()
        self._pair = self._loader.load(choice, cancel, progress)
        return _info(self._pair)

    def answer(self, task: AnswerTask, journal: Journal, cancel: CancelToken) -> Iterator[AnswerEvent]:
        return write_answer(self._loaded(), task, journal, cancel)

    def count(self, task: CountTask) -> ContextCount:
        pair = self._loaded()
        system, whole = self._counted(pair, task.messages)
        return ContextCount(
            system=system,
            conversation=max(0, whole - system),
            attachments=tuple(map(pair.size, task.attachments)),
            question=pair.size(task.question),
            n_ctx=pair.target.n_ctx,
        )

    def _counted(self, pair: LoadedPair, messages: tuple[Message, ...]) -> tuple[int, int]:
        """Of the system prompt, and of all, or of as much as could fit; not anew for each letter typed."""
        if self._count is None or self._count[0] is not messages:
            system = sum(pair.size(m.content) for m in messages if m.role is Role.SYSTEM)
            has_turns = any(m.role is not Role.SYSTEM for m in messages)
            counted = newest_turns(messages, pair.target.n_ctx, pair.size)
            self._count = (messages, system, len(pair.prompt(counted)) if has_turns else system)
        return self._count[1], self._count[2]

    def close(self) -> None:
        self._count = None
        pair, self._pair = self._pair, None
        if pair is not None:
            pair.close()

    def _loaded(self) -> LoadedPair:
        if self._pair is None:
            raise SettingError("No model is loaded.", "Choose a pair first.")
        return self._pair


def _info(pair: LoadedPair) -> PairInfo:
    speculation = pair.speculation
    draft = pair.choice.draft if pair.draft is not None else None
    return PairInfo(
        target=pair.choice.target.name,
        draft=draft.name if draft else None,
        n_ctx=pair.target.n_ctx,
        drafting=f"off: {speculation.reason}" if isinstance(speculation, NoGuessing) else "on",
        exact=pair.selftest.verdict if pair.selftest else "",
    )

"""Interfaces that the engine and the services require from the outer layers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import (
    Answer,
    Attached,
    Attachment,
    Conversation,
    ConversationSettings,
    ConversationTree,
    Deletion,
    Mark,
    MessageState,
    SearchHit,
    StoredMessage,
)
from specchat.domain.errors import StorageError
from specchat.domain.hub import DownloadLocation, HubQuery, HubResultPage, RemoteFile, RepoListing
from specchat.domain.projects import Project
from specchat.domain.proposal import Proposal
from specchat.domain.stored_prompt import StoredPrompt
from specchat.domain.tools import CalledTool
from specchat.domain.types import SampledToken

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Logits = NDArray[np.float32]
    States = NDArray[np.float32]
    Tokens = NDArray[np.int32]


class TokenStates(Protocol):
    """Hidden states of the latest tokens, one row each, by their place in the text."""

    @property
    def first(self) -> int:
        """The place of the oldest row."""

    def has(self, place: int) -> bool: ...
    def rows(self, begin: int, end: int) -> States:
        """A view that the next call of the model invalidates."""


class LanguageModel(Protocol):
    """A model whose cache is a list of tokens: it grows at the end and shrinks from the end."""

    @property
    def n_vocab(self) -> int: ...
    @property
    def n_ctx(self) -> int: ...
    @property
    def n_ctx_trained(self) -> int: ...
    @property
    def max_batch(self) -> int:
        """The most tokens whose logits one call of `evaluate` can return."""

    @property
    def max_rollback(self) -> int:
        """The number of tokens that `keep` can roll back after one `evaluate`; 0: none."""

    @property
    def max_branches(self) -> int:
        """The most branches that `evaluate_tree` supports; 1: only chains."""

    @property
    def cached(self) -> Tokens:
        """The tokens in the cache, a view that the next call invalidates."""

    def keep(self, length: int) -> int:
        """Forget all after the first `length` tokens; returns what is left, 0 where that was impossible."""

    def evaluate(self, tokens: Tokens, n_logits: int, cancel: CancelToken) -> Logits:
        """Append tokens; the logits after each of the last `n_logits`, a view that the next call invalidates."""

    def evaluate_tree(self, tokens: Tokens, parents: Sequence[int], cancel: CancelToken) -> Logits:
        """The last `len(parents)` tokens are a tree, as in `Proposal`. Its main branch is appended, after the others.

        The logits after the last token before the tree, and after each of the tree: a view as that of `evaluate`.
        """

    def adopt_states(self, rows: Sequence[int]) -> None:
        """The states of these tokens of the latest tree follow those that are kept, although the cache lacks them."""

    def evaluate_states(self, tokens: Tokens, cancel: CancelToken) -> Logits:
        """Append tokens; what the model knows after each of them, before it is turned into logits."""

    def capture_layers(self, layers: Sequence[int]) -> None:
        """Makes each pass store the inputs of these layers in `states`, side by side."""

    @property
    def states(self) -> TokenStates | None:
        """None: nobody asked for them."""

    @property
    def end_tokens(self) -> Sequence[int]:
        """The tokens that end an answer, ascending."""

    def is_end_token(self, token: int) -> bool: ...
    def piece(self, token: int) -> bytes:
        """The bytes this token adds to an answer; control tokens add none."""


class Constraint(Protocol):
    """A constraint on an answer. It follows the answer and never goes back."""

    def allows(self, token: int) -> bool: ...
    def mask(self, logits: Logits) -> Logits:
        """A copy in which the forbidden tokens are impossible. Raises a SettingError if all are."""

    def count_allowed(self, tokens: Sequence[int]) -> int:
        """How many of these may follow, one after the other. After an end nobody looks further."""

    def accept(self, token: int) -> None:
        """It was chosen; it must be allowed."""

    def foresee(self, most: int) -> Sequence[tuple[int, float]]:
        """At most so many tokens that it leaves no choice about, in the usual way to write them, with their scores."""


class DraftContext(Protocol):
    """What a drafter may look at. The target is there for drafters that share its cache or hidden states."""

    @property
    def tokens(self) -> Tokens:
        """Prompt and answer so far; the guess continues them. Some ordinary token stands for each row of a picture."""

    @property
    def draft_tokens(self) -> Tokens:
        """The same without the rows of pictures, for who reads text only."""

    @property
    def text_tokens(self) -> Tokens:
        """The same for who guesses from the text: where the answer fills a gap, what is before the gap comes last."""

    @property
    def constraint(self) -> Constraint | None:
        """What the answer may look like; None: as it likes, or that is not known here."""

    @property
    def target(self) -> LanguageModel: ...
    @property
    def cancel(self) -> CancelToken: ...
    def guess(self, logits: Logits, drafted: Sequence[int]) -> SampledToken:
        """What the target would choose after `tokens` and `drafted` if these were its logits.

        Drafts sampled any other way are accepted less often: this one shares the target's noise and penalties. Its
        probability tells how clearly the guess won against the second best: a good score for a proposal.
        """

    def guess_earlier(self, logits: Logits, length: int) -> SampledToken:
        """The same after the first `length` tokens alone."""

    def worth_another(self, score: float) -> bool:
        """To be asked after each guess, with its score, where guesses take their time: is the next one worth it?"""


class Drafter(Protocol):
    @property
    def name(self) -> str:
        """The origin that its tokens carry."""

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        """At most `budget` guesses; none is a good answer."""

    def observe(self, accepted: int, proposal: Proposal) -> None:
        """How many of the last proposal's main branch held, from its first on; of a chain, how many at all."""


class ProbingDrafter(Drafter, Protocol):
    """Its proposals have probes, and may have nothing else."""

    def learn(self, logits: Logits) -> None:
        """After each of the latest probes: a view."""


@runtime_checkable
class CatchUpDrafter(Protocol):
    """A drafter that must first read what was said since it last guessed."""

    @property
    def n_skipped(self) -> int:
        """Tokens at the beginning of the text that it does not look at."""

    @property
    def usual_lag(self) -> int:
        """Tokens that it has to look at before it guesses anyway: more are a batch, which is timed apart."""

    def n_missed(self, context: DraftContext) -> int: ...
    def restart_with_last(self, context: DraftContext, n_tokens: int) -> None:
        """Forget all, and read no more than the last tokens from here on."""

    def rehearse(self, context: DraftContext, count: int) -> Sequence[tuple[float, bool]]:
        """What it would have guessed for each of the last tokens, at most `count`: the score, and whether it held.

        If it asks `context.worth_another` before and after a guess for the next token, that guess is timed.
        """


@runtime_checkable
class StateReadingDrafter(Protocol):
    """A drafter that follows its target's passes: it cannot go on from the guesses of others."""

    @property
    def is_block(self) -> bool:
        """One pass makes all guesses."""

    def follow(self, context: DraftContext) -> None:
        """Between the passes of a prompt: there may be more states than are kept until the first guess."""


class FactCache(Protocol):
    """Facts that are costly to find out again."""

    def get(self, key: str) -> object: ...
    def put(self, key: str, value: object) -> None: ...


class RemoteBytes(Protocol):
    """What a header is read from, wherever the file lies."""

    @property
    def name(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def bytes_read(self) -> int: ...
    def read(self, offset: int, length: int) -> bytes: ...
    def save_to_cache(self) -> None:
        """What was read has proved good: the next look need not ask for it again."""


class ModelSource(Protocol):
    def search(self, search: HubQuery, following: str | None, cancel: CancelToken) -> HubResultPage:
        """`following`: of the page before."""

    def listing(self, repo: str, revision: str | None, cancel: CancelToken) -> RepoListing: ...
    def location(self, file: RemoteFile, cancel: CancelToken) -> DownloadLocation: ...
    def open_file(self, file: RemoteFile, cancel: CancelToken) -> RemoteBytes: ...


class ChatStore(Protocol):
    """Conversations and their messages. What is in the trash shows nowhere but in what lists it."""

    cut_off: Sequence[int]
    """The conversations in which a crash had cut off an answer, the last one last."""

    def data_version(self) -> int:
        """Another number once another program, or a journal, has written something."""

    def conversations(self) -> list[Conversation]: ...
    def unsent_conversations(self) -> list[Conversation]:
        """Conversations with an unsent text."""

    def trashed_conversations(self) -> list[Conversation]: ...
    def conversation(self, conversation: int) -> Conversation: ...
    def next_timestamp(self, now: float) -> float:
        """The time at which something is used now: after all else, even when the clock was set back."""

    def add_conversation(self, settings: ConversationSettings, now: float) -> Conversation: ...
    def save_conversation(self, conversation: Conversation) -> None: ...
    def move_to_project(self, conversations: Sequence[int], project: int | None) -> None:
        """None: into none."""

    def set_trashed(self, conversations: Sequence[int], trashed: float | None) -> None: ...
    def unsent_files(self, conversation: int) -> tuple[Attached, ...]:
        """The files attached to what is typed and not yet sent."""

    def save_unsent_files(self, conversation: int, files: Sequence[Attached]) -> None: ...
    def path(self, leaf: int, *, with_pictures: bool = True) -> list[StoredMessage]:
        """From the first message to `leaf`. Where only texts matter, without pictures and recordings."""

    def message(self, message: int) -> StoredMessage: ...
    def versions(self, message: int) -> list[int]:
        """The message and its siblings, oldest first."""

    def newest_leaf(self, message: int) -> int:
        """The end of the newest path through `message`."""

    def answer(self, message: int) -> Answer | None: ...
    def add_message(self, message: StoredMessage, answer: Answer | None = None) -> StoredMessage:
        """Its id is chosen here, and it becomes the conversation's leaf."""

    def set_state(self, message: int, state: MessageState) -> None:
        """What was journalled so far becomes part of the text."""

    def save_result(self, message: int, called: CalledTool, result: str) -> None:
        """Of a tool."""

    def awaiting_consent(self) -> list[int]:
        """The conversations that end with calls of tools of which one waits, or runs."""

    def trash_message(self, message: int, now: float) -> None:
        """With all below it."""

    def retract_message(self, message: int, now: float) -> None:
        """With all below it, for good; into the trash where that is needed for what was deleted below it."""

    def deletions(self) -> list[Deletion]:
        """The last one first."""

    def restore_message(self, message: int, leaf: int | None) -> None: ...
    def tree(self, conversation: int, *, with_marks: bool = True) -> ConversationTree: ...
    def marks_json(self, conversation: int) -> Mapping[int, str]:
        """Of its answers, in JSON: there are so many that nothing is made of them where they are only passed on."""

    def add_trees(self, trees: Iterable[ConversationTree]) -> list[int]:
        """All of them or none; ids are chosen anew."""

    def purge(self, before: float) -> None:
        """Delete for good what was put into the trash before then."""

    def purge_conversation(self, conversation: int) -> None:
        """If it is in the trash."""

    def purge_message(self, message: int) -> None:
        """With what was deleted with it, and all below, if it is in the trash."""

    def search(self, query: str, limit: int) -> list[SearchHit]:
        """Titles first, then messages, newest first. The last word may be incomplete."""


class ProjectStore(Protocol):
    """A project in the trash keeps its chats, which count as being in none meanwhile."""

    def projects(self) -> list[Project]: ...
    def trashed_projects(self) -> list[Project]: ...
    def project(self, project: int) -> Project: ...
    def add_project(self, name: str, now: float) -> Project: ...
    def save_project(self, project: Project) -> None: ...
    def purge_project(self, project: int) -> None:
        """If it is in the trash."""

    def files(self, project: int) -> tuple[Attachment, ...]: ...
    def save_files(self, project: int, files: Sequence[Attachment]) -> None: ...
    def chats(self, project: int, trashed: float | None = None) -> list[int]:
        """Those that were put into the trash at a time; None: those that are not in it."""


class StoredPromptStore(Protocol):
    def prompts(self) -> list[StoredPrompt]: ...
    def save_prompt(self, prompt: StoredPrompt, replaced: str) -> None:
        """In place of the one named `replaced`, and of one with the same name."""

    def remove_prompt(self, name: str) -> None: ...


class PresetStore(Protocol):
    def presets(self) -> list[ConversationSettings]: ...
    def save_preset(self, settings: ConversationSettings) -> None: ...
    def remove_preset(self, name: str) -> None: ...


class Journal(Protocol):
    """Keeps an answer while it is written: whatever happens, at most a quarter of a second of it is lost.

    Where nothing can be kept at the moment, it goes on trying until it can, also after `close`.
    """

    def set_listener(self, listener: Callable[[StorageError | None], None]) -> None:
        """`listener` hears, in whatever thread, why nothing can be kept, and None when all is kept again."""

    def add(self, text: str, marks: Sequence[Mark]) -> None:
        """Never waits for the disk."""

    def flush(self) -> None: ...
    def finish(self, state: MessageState, answer: Answer) -> None:
        """The answer's marks are those of the whole text; where it has none, the ones that were added."""

    def close(self) -> None: ...

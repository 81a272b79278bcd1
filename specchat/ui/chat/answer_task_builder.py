"""Prepares the tasks of answers: their prompts, documents and tools."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.domain.answer_tasks import AnswerTask
from specchat.domain.conversations import Conversation, Mark, StoredMessage
from specchat.services.chat.project_service import ProjectService
from specchat.services.chat.prompt_messages import build_prompt_messages, documents_of_path
from specchat.ui.session import Session
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.tools.tool_list import ToolList

if TYPE_CHECKING:
    from specchat.domain.tool_servers import OfferedTool
    from specchat.services.chat.meaning_search import MeaningSearch

MakeMeaningSearch = Callable[[Path], "MeaningSearch"]
"""With an embedding model."""


class AnswerTaskBuilder:
    def __init__(
        self,
        session: Session,
        settings: SettingsModel,
        projects: ProjectService,
        tools: ToolList,
        make_meaning_search: MakeMeaningSearch,
    ) -> None:
        self._session, self._settings = session, settings
        self._projects, self._tools = projects, tools
        self._make_meaning_search = make_meaning_search
        self._offers: dict[int, tuple[OfferedTool, ...]] = {}
        self._searches: dict[int, MeaningSearch] = {}
        """Both of answers that are being written."""

    def build(
        self,
        conversation: Conversation,
        asked: Sequence[StoredMessage],
        answer: StoredMessage,
        seed: int,
        marks: tuple[Mark, ...] = (),
        prefill: str = "",
    ) -> AnswerTask:
        """`asked`: what is above the answer. Without pictures and recordings that the model can't see or hear."""
        settings, senses = conversation.settings, self._session.senses
        is_open = self._session.is_open(conversation.id)
        project = self._session.project_context if is_open else self._projects.context(conversation.project)
        documents = documents_of_path(
            *(asked, settings),
            senses=senses,
            by_meaning=self._search_for(answer.id),
            project=project,
        )
        is_too_long = documents is not None and documents.is_certainly_too_long(self._session.n_ctx)
        messages = () if is_too_long else build_prompt_messages(asked, settings, senses=senses, project=project)
        self._offers[answer.id] = offered = self._tools.offered(self._session.pair)
        return AnswerTask(
            message=answer.id,
            messages=messages,
            sampling=replace(settings.sampling, seed=seed),
            max_tokens=settings.max_tokens,
            begun=answer.text,
            marks=marks,
            prefill=prefill,
            probabilities=self._wants_probabilities,
            documents=documents,
            tools=tuple(each.as_tool for each in offered),
            reasoning=settings.reasoning,
        )

    def take_offer(self, message: int) -> "tuple[OfferedTool, ...]":
        """The tools that the model could call in this answer, which has ended."""
        return self._offers.pop(message, ())

    def take_search(self, message: int) -> "MeaningSearch | None":
        """That its documents were searched with."""
        return self._searches.pop(message, None)

    def make_search(self) -> "MeaningSearch | None":
        """None: no model for it is chosen."""
        model = self._settings.value.embedding_model
        return self._make_meaning_search(Path(model)) if model else None

    def _search_for(self, message: int) -> "MeaningSearch | None":
        if (search := self.make_search()) is not None:
            self._searches[message] = search
        return search

    @property
    def _wants_probabilities(self) -> bool:
        """They cost time, with the few tokens that the demo knows next to none."""
        return self._settings.value.colour_tokens or self._session.has_demo

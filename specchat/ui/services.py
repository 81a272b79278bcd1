"""Bundles the services that the window uses; cheap to import."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.domain.completions import MakeServer
from specchat.services.chat.chat_salvage import ChatSalvage
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.message_service import MessageService
from specchat.services.chat.project_service import ProjectService
from specchat.services.chat.prompt_library import PromptLibrary
from specchat.services.chat.stored_chats import StoredChats
from specchat.services.lazy import Lazy
from specchat.services.program.licences import Licences
from specchat.services.program.update_checker import UpdateChecker
from specchat.services.settings.application_settings import ApplicationSettingsFile
from specchat.services.settings.pair_settings import PairSettings
from specchat.services.settings.preset_service import PresetService
from specchat.services.settings.server_key import ServerKey
from specchat.ui.chat.answer_task_builder import MakeMeaningSearch
from specchat.ui.model_services import ModelServices
from specchat.ui.threads.inference import MakeEngine, MakeJournal
from specchat.ui.tools.tool_list import MakeTools

if TYPE_CHECKING:
    from specchat.services.bench.measured_pairs import MeasuredPairs


@dataclass(frozen=True, slots=True)
class Services:
    conversations: ConversationService
    messages: MessageService
    projects: ProjectService
    prompts: PromptLibrary
    kept_chats: Callable[[], AbstractContextManager[StoredChats]]
    damaged_chats: ChatSalvage
    presets: PresetService
    pair_settings: PairSettings
    ui_settings: ApplicationSettingsFile
    models: ModelServices
    measured: "Lazy[MeasuredPairs]"
    make_engine: MakeEngine
    make_journal: MakeJournal
    make_server: MakeServer
    server_key: ServerKey
    make_tools: MakeTools
    updates: UpdateChecker
    licences: Licences
    make_meaning_search: MakeMeaningSearch
    logs: Path
    config: Path
    close: Callable[[], None]
    """Also writes the chats into their one file."""

"""Projects, which group chats and add to their prompts."""

from dataclasses import dataclass

from specchat.domain.conversations import Attachment, Conversation, Deletion


@dataclass(frozen=True, slots=True)
class ProjectPair:
    """The refs of a target and its draft, as text. Other load settings are those of their last use."""

    target: str
    draft: str = ""
    draft_type: str = "auto"


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    system_prompt: str = ""
    """Precedes the system prompt of a chat."""
    pair: ProjectPair | None = None


@dataclass(frozen=True, slots=True)
class Project:
    id: int
    name: str
    created: float
    trashed: float | None = None
    is_folded: bool = False
    """Whether its chats are hidden in the list."""
    settings: ProjectSettings = ProjectSettings()
    n_deleted_chats: int = 0
    """Those that were deleted together with it, at the same time."""


@dataclass(frozen=True, slots=True)
class ProjectContext:
    """What a project adds to the prompts of its chats."""

    system_prompt: str = ""
    files: tuple[Attachment, ...] = ()


TrashItem = Conversation | Deletion | Project
"""An item in the trash."""

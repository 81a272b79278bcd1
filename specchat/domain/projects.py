"""Projects, which hold chats together, and what they add to the prompts of these."""

from dataclasses import dataclass

from specchat.domain.conversations import Attachment, Conversation, Deletion


@dataclass(frozen=True, slots=True)
class ProjectPair:
    """A target and who guesses for it, as texts of refs; everything else is as they were used last."""

    target: str
    draft: str = ""
    draft_type: str = "auto"


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    system_prompt: str = ""
    """Comes before the one of a chat."""
    pair: ProjectPair | None = None


@dataclass(frozen=True, slots=True)
class Project:
    id: int
    name: str
    created: float
    trashed: float | None = None
    is_folded: bool = False
    """Its chats are not listed below it."""
    settings: ProjectSettings = ProjectSettings()


@dataclass(frozen=True, slots=True)
class ProjectContext:
    """What the chats of a project read besides their own messages."""

    system_prompt: str = ""
    files: tuple[Attachment, ...] = ()


TrashItem = Conversation | Deletion | Project
"""An item in the trash."""

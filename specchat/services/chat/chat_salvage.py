"""Recovers chats from a database that may be damaged."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from specchat.domain.conversations import DamagedChat
from specchat.domain.errors import DamagedChatsError, StorageError, UserError
from specchat.services.atomic_write import atomic_path, require_new_path
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.stored_chats import StoredChats, stored_chats
from specchat.services.program.lock_file import LockFile
from specchat.store.chat_store import SqliteChatStore, open_chat_store_without_recovery
from specchat.store.salvage.salvage import check_integrity, check_search_index, replace_damaged, salvage


@dataclass(frozen=True, slots=True)
class SalvageResult:
    path: Path
    """The new database."""
    aside: Path | None
    """The damaged database, if it was renamed."""
    chats: Sequence[int]
    """Chats that are complete or partly readable."""
    damaged: Sequence[DamagedChat]
    copies: Sequence[Path]
    """Backup copies that contained lost parts."""


class ChatSalvage:
    def __init__(self, file: Path) -> None:
        self.file = file

    def require_intact(self, *, with_search: bool = False) -> None:
        """Reads the whole database. The search index is skipped if the database is read-only."""
        with closing(open_chat_store_without_recovery(self.file)) as store:
            check_integrity(store.database)
            if with_search:
                with suppress(StorageError):
                    check_search_index(store.database)

    @contextmanager
    def open_readable(self) -> Iterator[StoredChats]:
        """Opens what is readable, without writing anything."""
        salvaged = salvage(self.file)
        with closing(SqliteChatStore(salvaged.database)) as store:
            yield stored_chats(store, salvaged.damaged)

    def salvage(self, out: Path | None = None) -> SalvageResult | None:
        """Writes to `out`, a new file, or replaces the damaged file. Returns None if it is not damaged."""
        if out is not None:
            return self._write(out)
        window = LockFile(self.file.parent / "window.lock")
        if not window.acquire():
            raise UserError("The specchat window is open.", "Close it first, or choose another file with --out.")
        try:
            self.require_intact(with_search=True)
        except DamagedChatsError:
            return self.replace()
        finally:
            window.release()
        return None

    def replace(self) -> SalvageResult:
        """Replaces the database, which no window may have open."""
        salvaged = salvage(self.file)
        with closing(SqliteChatStore(salvaged.database)) as store:
            chats = [each.id for each in ConversationService(store).list_used()]
            aside = replace_damaged(self.file, salvaged)
        return SalvageResult(self.file, aside, chats, salvaged.damaged, salvaged.copies)

    def _write(self, out: Path) -> SalvageResult:
        require_new_path(out)
        salvaged = salvage(self.file)
        with closing(SqliteChatStore(salvaged.database)) as store:
            chats = [each.id for each in ConversationService(store).list_used()]
            with atomic_path(out) as part:
                salvaged.database.backup(part)
        return SalvageResult(out, None, chats, salvaged.damaged, salvaged.copies)

"""A database of chats that may be damaged: what can be read of it, as it is and as a fresh database."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from specchat.domain.conversations import DamagedChat
from specchat.domain.errors import DamagedChatsError, StorageError, UserError
from specchat.services.chat.conversations import Conversations
from specchat.services.chat.exports import Exports
from specchat.services.chat.kept_chats import KeptChats
from specchat.services.program.held_file import HeldFile
from specchat.store.chat_store import SqliteChatStore, open_beside_window
from specchat.store.salvage.salvage import replace_damaged, require_search_whole, require_whole, salvage


@dataclass(frozen=True, slots=True)
class Salvage:
    path: Path
    """Where the fresh database is."""
    aside: Path | None
    """Where the damaged one is, if it made room."""
    chats: Sequence[int]
    """That are whole, or of which something is left."""
    damaged: Sequence[DamagedChat]
    copies: Sequence[Path]
    """Which had what is lost elsewhere."""


class DamagedChats:
    def __init__(self, file: Path) -> None:
        self.file = file

    def require_whole(self, *, with_search: bool = False) -> None:
        """It reads everything once. A search that may not write is not tried."""
        with closing(open_beside_window(self.file)) as store:
            require_whole(store.database)
            if with_search:
                with suppress(StorageError):
                    require_search_whole(store.database)

    @contextmanager
    def readable(self) -> Iterator[KeptChats]:
        """Nothing is written."""
        salvaged = salvage(self.file)
        with closing(SqliteChatStore(salvaged.database)) as store:
            yield KeptChats(Conversations(store), Exports(store), salvaged.damaged)

    def salvage(self, out: Path | None = None) -> Salvage | None:
        """Into `out`, or in place of the damaged file. None: it is not damaged."""
        if out is not None:
            return self._write(out)
        window = HeldFile(self.file.parent / "window.lock")
        if not window.hold():
            raise UserError("The window of specchat is open.", "Close it first, or name another file with --out.")
        try:
            self.require_whole(with_search=True)
        except DamagedChatsError:
            return self.replace()
        finally:
            window.let_go()
        return None

    def replace(self) -> Salvage:
        """Where no window has the file open."""
        salvaged = salvage(self.file)
        with closing(SqliteChatStore(salvaged.database)) as store:
            chats = [each.id for each in Conversations(store).used()]
            aside = replace_damaged(self.file, salvaged)
        return Salvage(self.file, aside, chats, salvaged.damaged, salvaged.copies)

    def _write(self, out: Path) -> Salvage:
        if out.is_dir() or (out.exists() and self.file.exists() and out.samefile(self.file)):
            raise UserError("{path} cannot be replaced.", "Name another file.", path=out)
        salvaged = salvage(self.file)
        with closing(SqliteChatStore(salvaged.database)) as store:
            chats = [each.id for each in Conversations(store).used()]
            salvaged.database.backup(out)
        return Salvage(out, None, chats, salvaged.damaged, salvaged.copies)

"""A program of its own, to be killed: it keeps what is attached to a message, then waits."""

import sys
from pathlib import Path

from specchat.domain.conversations import Attachment, ConversationSettings
from specchat.store.chat_store import open_chat_store

FILES = (Attachment("long.txt", "a line\n" * 250_000), Attachment("short.txt", "größer"))


def main() -> None:
    store = open_chat_store(Path(sys.argv[1]))
    store.save_unsent_files(store.add_conversation(ConversationSettings(), now=1.0).id, FILES)
    sys.stdout.write("kept\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()

"""Defines all keyboard shortcuts, for the menus and for the dialog that lists them."""

import sys
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence


def QT_TRANSLATE_NOOP(_context: str, words: str) -> str:  # noqa: N802 - by this name the words are collected
    """Marks words for translation that are translated when they are shown."""
    return words


_Standard = QKeySequence.StandardKey
_CONTROL = "Meta" if sys.platform == "darwin" else "Ctrl"
"""Qt's Ctrl is the command key there, which with Tab belongs to the system."""


@dataclass(frozen=True, slots=True)
class Shortcut:
    id: str
    text: str
    keys: tuple[QKeySequence.StandardKey | str, ...]
    is_global: bool = False
    """In all windows of the program."""
    explanation: str = ""
    """In the list of shortcuts, where the words of the menu would be too short."""

    def key_sequences(self) -> list[QKeySequence]:
        """The platform's own where it has one, then ours."""
        found: list[QKeySequence] = []
        for key in self.keys:
            bound = [QKeySequence(key)] if isinstance(key, str) else QKeySequence.keyBindings(key)[:1]
            found += [sequence for sequence in bound if sequence not in found]
        return found


def translate_shortcut(words: str) -> str:
    return QCoreApplication.translate("Shortcuts", words)


NEW_CHAT = Shortcut("newChat", QT_TRANSLATE_NOOP("Shortcuts", "New chat"), (_Standard.New, "Ctrl+N"))
NEXT_CHAT = Shortcut("nextChat", QT_TRANSLATE_NOOP("Shortcuts", "Next chat"), (f"{_CONTROL}+Tab",))
PREVIOUS_CHAT = Shortcut("previousChat", QT_TRANSLATE_NOOP("Shortcuts", "Previous chat"), (f"{_CONTROL}+Shift+Tab",))
SEARCH = Shortcut("search", QT_TRANSLATE_NOOP("Shortcuts", "Search all chats"), ("Ctrl+K", "Ctrl+Shift+F"))
RENAME = Shortcut("rename", QT_TRANSLATE_NOOP("Shortcuts", "Rename the chat"), ("F2",))
SELECT_ALL = Shortcut(
    "selectAll", QT_TRANSLATE_NOOP("Shortcuts", "Select all chats (in the sidebar)"), (_Standard.SelectAll,)
)
DELETE = Shortcut("delete", QT_TRANSLATE_NOOP("Shortcuts", "Delete chats (in the sidebar)"), (_Standard.Delete,))
UNDO_DELETE = Shortcut("undoDelete", QT_TRANSLATE_NOOP("Shortcuts", "Undo delete"), (_Standard.Undo, "Ctrl+Z"))
EXPORT = Shortcut("export", QT_TRANSLATE_NOOP("Shortcuts", "Export the chat"), ("Ctrl+E",))

SEND = Shortcut("send", QT_TRANSLATE_NOOP("Shortcuts", "Send"), ("Enter",))
NEW_LINE = Shortcut("newLine", QT_TRANSLATE_NOOP("Shortcuts", "New line"), ("Shift+Enter",))
INSERT_PROMPT = Shortcut(
    "insertPrompt", QT_TRANSLATE_NOOP("Shortcuts", "Insert a prompt (when the message box is empty)"), ("/",)
)
STOP = Shortcut("stop", QT_TRANSLATE_NOOP("Shortcuts", "Stop the answer, or close the open panel"), ("Esc",))
EDIT_LAST = Shortcut("editLast", QT_TRANSLATE_NOOP("Shortcuts", "Edit your last message"), ("Ctrl+Up",))
EDIT_LAST_WHEN_EMPTY = Shortcut(
    "editLastWhenEmpty",
    QT_TRANSLATE_NOOP("Shortcuts", "Edit your last message (when the message box is empty)"),
    ("Up",),
)
REGENERATE = Shortcut("regenerate", QT_TRANSLATE_NOOP("Shortcuts", "Regenerate the last answer"), ("Ctrl+R",))
COPY_ANSWER = Shortcut("copyAnswer", QT_TRANSLATE_NOOP("Shortcuts", "Copy the last answer"), ("Ctrl+Shift+C",))
FIND = Shortcut("find", QT_TRANSLATE_NOOP("Shortcuts", "Find in this chat"), (_Standard.Find, "Ctrl+F"))

SIDEBAR = Shortcut(
    "toggleSidebar",
    QT_TRANSLATE_NOOP("Shortcuts", "Sidebar"),
    ("Ctrl+B",),
    explanation=QT_TRANSLATE_NOOP("Shortcuts", "Show or hide the sidebar"),
)
OVERLAY = Shortcut(
    "toggleOverlay",
    QT_TRANSLATE_NOOP("Shortcuts", "Live stats overlay"),
    ("Ctrl+Shift+O",),
    explanation=QT_TRANSLATE_NOOP("Shortcuts", "Show or hide live stats"),
)
COLOURS = Shortcut("toggleColours", QT_TRANSLATE_NOOP("Shortcuts", "Highlight draft tokens"), ("Ctrl+Shift+T",))
LARGER_TEXT = Shortcut(
    "largerText", QT_TRANSLATE_NOOP("Shortcuts", "Larger text"), (_Standard.ZoomIn, "Ctrl++", "Ctrl+=")
)
SMALLER_TEXT = Shortcut("smallerText", QT_TRANSLATE_NOOP("Shortcuts", "Smaller text"), (_Standard.ZoomOut, "Ctrl+-"))
RESET_TEXT_SIZE = Shortcut("usualText", QT_TRANSLATE_NOOP("Shortcuts", "Normal text size"), ("Ctrl+0",))

CHOOSE_PAIR = Shortcut("choosePair", QT_TRANSLATE_NOOP("Shortcuts", "Choose models for the chat"), ("Ctrl+L",))
MODELS = Shortcut(
    "models",
    QT_TRANSLATE_NOOP("Shortcuts", "Models"),
    ("Ctrl+Shift+M",),
    explanation=QT_TRANSLATE_NOOP("Shortcuts", "Open Models"),
)
BENCHMARK = Shortcut("benchmark", QT_TRANSLATE_NOOP("Shortcuts", "Benchmark"), ("Ctrl+Shift+B",))
SETTINGS = Shortcut("settings", QT_TRANSLATE_NOOP("Shortcuts", "Settings"), (_Standard.Preferences, "Ctrl+,"))
HELP = Shortcut("help", QT_TRANSLATE_NOOP("Shortcuts", "Help"), (_Standard.HelpContents, "F1"))
SHORTCUTS = Shortcut("shortcuts", QT_TRANSLATE_NOOP("Shortcuts", "Keyboard shortcuts"), ("Ctrl+/",))
QUIT = Shortcut("quit", QT_TRANSLATE_NOOP("Shortcuts", "Quit"), (_Standard.Quit, "Ctrl+Q"), is_global=True)

GROUPS: tuple[tuple[str, tuple[Shortcut, ...]], ...] = (
    (
        QT_TRANSLATE_NOOP("Shortcuts", "Chats"),
        (NEW_CHAT, NEXT_CHAT, PREVIOUS_CHAT, SEARCH, RENAME, SELECT_ALL, DELETE, UNDO_DELETE, EXPORT),
    ),
    (
        QT_TRANSLATE_NOOP("Shortcuts", "Messages"),
        (SEND, NEW_LINE, INSERT_PROMPT, STOP, EDIT_LAST, EDIT_LAST_WHEN_EMPTY, REGENERATE, COPY_ANSWER, FIND),
    ),
    (QT_TRANSLATE_NOOP("Shortcuts", "View"), (SIDEBAR, OVERLAY, COLOURS, LARGER_TEXT, SMALLER_TEXT, RESET_TEXT_SIZE)),
    (QT_TRANSLATE_NOOP("Shortcuts", "specchat"), (CHOOSE_PAIR, MODELS, BENCHMARK, SETTINGS, HELP, SHORTCUTS, QUIT)),
)

"""Shows a topic of the help, which Qt renders from its Markdown."""

import re
from pathlib import Path

from PySide6.QtCore import QMimeData, QRegularExpression, QTimer, QUrl, Signal
from PySide6.QtGui import QColor, QImage, QResizeEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit, QWidget

from specchat.services.program.help_topics import TOPICS, find_place
from specchat.services.program.resources import resources
from specchat.ui.help.document_style import style_document
from specchat.ui.transcript.text_formats import TextFormats
from specchat.ui.widgets.link_confirmation import open_link_after_question
from specchat.ui.widgets.text_column import column_width
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.words.installed_languages import current_language
from specchat.ui.words.number_format import join_units

_SCHEME = "help"
_DOCS = QUrl(f"{_SCHEME}:///docs/")
"""Pages and pictures have addresses below the folder of resources, and nothing else has one."""
_SIDE = 3 * GRID
_Resource = QTextDocument.ResourceType
_JOINER = "\u2060"
"""Prevents a line break."""
_NO_BREAK = "\u00a0"
_OPTION = re.compile(r"(?<![\w-])-{1,2}(?=\w)")
_CODE = re.compile(r"(?<!`)`[^`\n]+`(?!`)")
_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")
_BEFORE_ARGUMENT = re.compile(r"(?<![^\s\[`])(-{1,2}[\w-]+) (?=[\w.])")
"""The space between an option and what is set with it, as in `-md DRAFT`."""


class HelpText(QTextBrowser):
    topic_changed = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._is_styled = False
        self._words: list[str] = []
        self._hits: list[QTextCursor] = []
        self._hit = 0
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUndoRedoEnabled(False)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setViewportMargins(_SIDE, 0, _SIDE, 0)
        self.viewport().setAutoFillBackground(False)
        self.sourceChanged.connect(self._show_source)
        self.anchorClicked.connect(self._open_link)
        follow_theme(self._apply_theme)

    def show_topic(self, place: str) -> None:
        """The file of a topic in the window's language, with a heading in it if need be: `window.md#the-overlay`."""
        self.setSource(_DOCS.resolved(QUrl(find_place(place, current_language()))), _Resource.MarkdownResource)

    def mark_words(self, words: list[str]) -> None:
        self._words = words
        self._mark()

    def show_next_hit(self) -> bool:
        """False: the one that is shown is the last."""
        if self._hit + 1 >= len(self._hits):
            return False
        self._show_hit(self._hit + 1)
        return True

    def show_first_hit(self) -> None:
        if self._hits:
            self._show_hit(0)

    def loadResource(self, kind: int, url: QUrl | str) -> object:
        """What comes with the program, and nothing else: without a picture Qt would look for one itself."""
        file = _resource_file(QUrl(url))
        if kind == _Resource.MarkdownResource.value:
            self._is_styled = False
            return _keep_together(file.read_text(encoding="utf-8")) if file is not None else ""
        image = QImage(str(file)) if file is not None else QImage()
        return _blank() if image.isNull() else image

    def createMimeDataFromSelection(self) -> QMimeData:
        """A command that is copied can be typed."""
        copied = QMimeData()
        copied.setText(self.textCursor().selection().toPlainText().replace(_JOINER, "").replace(_NO_BREAK, " "))
        return copied

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit_column()
        super().resizeEvent(event)

    def _fit_column(self) -> None:
        """A table can be a pixel wider than that: Qt rounds the widths of its columns."""
        self.setLineWrapColumnOrWidth(min(column_width(), self.viewport().width() - 1))

    def _apply_theme(self) -> None:
        """Where the user reads stays in sight."""
        self._fit_column()
        if self.source().isEmpty():
            return
        share = self.verticalScrollBar().value() / max(1, self.verticalScrollBar().maximum())
        self.reload()
        self.verticalScrollBar().setValue(round(share * self.verticalScrollBar().maximum()))

    def _show_source(self, source: QUrl) -> None:
        """The heading is scrolled to again where the page had no height yet."""
        if not self._is_styled:
            self._is_styled = True
            style_document(self.document(), current_theme())
            self._mark()
        self.topic_changed.emit(source.fileName())
        if source.hasFragment():
            self.scrollToAnchor(source.fragment())
            QTimer.singleShot(0, self, lambda: self.scrollToAnchor(self.source().fragment()))

    def _open_link(self, url: QUrl) -> None:
        if _is_topic(url):
            self.show_topic(f"{url.fileName()}#{url.fragment()}" if url.hasFragment() else url.fileName())
        else:
            open_link_after_question(url.toString(), self)

    def _mark(self) -> None:
        self._hits = sorted((hit for word in self._words for hit in self._places(word)), key=QTextCursor.position)
        self._hit = 0
        self._paint_hits()

    def _places(self, word: str) -> list[QTextCursor]:
        found: list[QTextCursor] = []
        sought = QRegularExpression(f"{_JOINER}?".join(map(re.escape, word)))
        sought.setPatternOptions(QRegularExpression.PatternOption.CaseInsensitiveOption)
        at = self.document().find(sought)
        while not at.isNull():
            found.append(at)
            at = self.document().find(sought, at)
        return found

    def _show_hit(self, number: int) -> None:
        self._hit = number
        cursor = QTextCursor(self._hits[number])
        cursor.clearSelection()
        self.setTextCursor(cursor)
        self.ensureCursorVisible()
        self._paint_hits()

    def _paint_hits(self) -> None:
        formats = TextFormats(current_theme())
        marks = []
        for number, hit in enumerate(self._hits):
            mark = QTextEdit.ExtraSelection()
            mark.cursor = hit
            mark.format.setBackground(formats.match_colour(current=number == self._hit))
            marks.append(mark)
        self.setExtraSelections(marks)


def _is_topic(url: QUrl) -> bool:
    folder = url.path().removesuffix(url.fileName())
    folders = (_DOCS.path(), f"{_DOCS.path()}{current_language()}/")
    return url.scheme() == _SCHEME and url.fileName() in TOPICS and folder in folders


def _keep_together(markdown: str) -> str:
    """Options, their dashes and arguments, the parts of a name in code, figures and their units."""
    markdown = _CODE.sub(_keep_code_together, markdown)
    return join_units(_OPTION.sub(lambda dashes: "".join(f"{dash}{_JOINER}" for dash in dashes[0]), markdown))


def _keep_code_together(code: re.Match[str]) -> str:
    return _HYPHEN.sub(f"-{_JOINER}", _BEFORE_ARGUMENT.sub(rf"\1{_NO_BREAK}", code[0]))


def _resource_file(url: QUrl) -> Path | None:
    root = resources().resolve()
    file = (root / url.path().lstrip("/")).resolve()
    return file if url.scheme() == _SCHEME and file.is_relative_to(root) and file.is_file() else None


def _blank() -> QImage:
    image = QImage(1, 1, QImage.Format.Format_ARGB32)
    image.fill(QColor(0, 0, 0, 0))
    return image

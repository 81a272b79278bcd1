"""The page that shows the version, the details for bug reports and the update check."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from specchat import __version__
from specchat.services.program.resources import resources
from specchat.ui.about.system_details import SystemDetail, collect_details, format_report
from specchat.ui.about.update_box import UpdateBox
from specchat.ui.widgets.controls import Separator, TextButton
from specchat.ui.widgets.form_fields import heading_label, muted_label
from specchat.ui.widgets.theme import GRID, TITLE_PX, scaled_px
from specchat.ui.widgets.theme_service import follow_theme

COPYRIGHT = "© 2026 The specchat authors"
_ICON = 8 * GRID


class SpecchatPage(QWidget):
    logs_requested = Signal()

    def __init__(self, host: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._details = collect_details()
        self.update_box = UpdateBox(host, self)
        self._name = QLabel(f"specchat {__version__}", self)
        self._copy = TextButton(self.tr("Copy details"), self)
        self._logs = TextButton(self.tr("Open logs folder"), self)
        self._message = muted_label("", self)
        self._privacy = muted_label(self._privacy_words(host), self)
        self._name_parts()
        self._arrange()
        follow_theme(self._apply_theme)
        self._copy.clicked.connect(self._copy_details)
        self._logs.clicked.connect(self.logs_requested)

    def _apply_theme(self) -> None:
        self._name.setStyleSheet(f"font-size: {scaled_px(TITLE_PX)}px; font-weight: 600;")

    def show_message(self, words: str) -> None:
        """What came of a click on one of the buttons; empty: nothing yet."""
        self._message.setText(words)

    def _copy_details(self) -> None:
        QGuiApplication.clipboard().setText(format_report(self._details))
        self.show_message(self.tr("Copied. Contains nothing about you, this computer, or your files."))

    def _name_parts(self) -> None:
        self._name.setObjectName("aboutName")
        self._name.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._copy.setObjectName("copyDetails")
        self._logs.setObjectName("openLogs")
        self._message.setObjectName("aboutTold")
        self._privacy.setObjectName("aboutPrivacy")

    def _privacy_words(self, host: str) -> str:
        """`host`: where updates are looked for; empty: nowhere."""
        chats = self.tr(
            "Chats are stored on this computer, and sent only to other engines, machines and MCP servers that you add."
        )
        rest = self.tr("Otherwise, specchat goes online only to search for and download models (huggingface.co).")
        if host:
            rest = self.tr(
                "Otherwise, specchat goes online only to search for and download models (huggingface.co) and to check "
                "for updates ({host})."
            )
        return f"{chats} {rest.format(host=host)}"

    def _arrange(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * GRID)
        layout.addLayout(self._arranged_name())
        layout.addWidget(Separator(self))
        layout.addWidget(heading_label(self.tr("For bug reports"), self))
        layout.addLayout(self._arranged_details(self._details))
        layout.addLayout(self._arranged_buttons())
        layout.addWidget(Separator(self))
        layout.addWidget(self.update_box)
        layout.addWidget(self._privacy)
        layout.addStretch()

    def _arranged_name(self) -> QHBoxLayout:
        picture = QLabel(self)
        drawn = QIcon(str(resources() / "icons" / "specchat.svg"))
        picture.setPixmap(drawn.pixmap(QSize(_ICON, _ICON), self.devicePixelRatioF()))
        purpose = QLabel(self.tr("Chat with models on your own computer, sped up by a small draft model."), self)
        purpose.setWordWrap(True)
        licence = self.tr("{copyright} · MIT license").format(copyright=COPYRIGHT)
        lines = QVBoxLayout()
        lines.setSpacing(GRID // 2)
        for label in (self._name, purpose, muted_label(licence, self)):
            lines.addWidget(label)
        layout = QHBoxLayout()
        layout.setSpacing(2 * GRID)
        layout.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(lines, 1)
        return layout

    def _arranged_details(self, details: Sequence[SystemDetail]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * GRID)
        grid.setVerticalSpacing(GRID // 2)
        grid.setColumnStretch(1, 1)
        for row, detail in enumerate(details):
            name, value = detail.translated
            named, shown = muted_label(name, self), QLabel(value, self)
            named.setWordWrap(False)
            shown.setProperty("small", True)
            shown.setTextFormat(Qt.TextFormat.PlainText)
            shown.setAccessibleName(f"{name}: {value}")
            grid.addWidget(named, row, 0)
            grid.addWidget(shown, row, 1)
        return grid

    def _arranged_buttons(self) -> QHBoxLayout:
        layout = QHBoxLayout()
        layout.setSpacing(GRID)
        layout.addWidget(self._copy)
        layout.addWidget(self._logs)
        layout.addWidget(self._message, 1)
        return layout

"""The card of one server: its state, its command, its tools, and what can be done with it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from specchat.domain.printable_text import printable_text
from specchat.domain.tool_servers import ServerState, ServerTool
from specchat.services.tools.tool_consents import ToolConsents
from specchat.services.tools.tool_service import ToolServer
from specchat.ui.widgets.controls import IconButton, TextButton
from specchat.ui.widgets.form_fields import CheckBox, muted_label
from specchat.ui.widgets.selectable_text import SelectableText
from specchat.ui.widgets.theme import GRID, SMALL_PX, scaled_px
from specchat.ui.widgets.tooltip import tooltip_text
from specchat.ui.words.message_translation import translate_text

_LONGEST_TOOLTIP = 400
_MOST_NAMES = 10


class ServerCard(QFrame):
    enabled = Signal(bool)
    restart_requested = Signal()
    edit_requested = Signal()
    remove_requested = Signal()
    tool_switched = Signal(ServerTool, bool)
    always_switched = Signal(ServerTool, bool)

    def __init__(
        self,
        server: ToolServer,
        consents: ToolConsents,
        without_room: Sequence[str],
        parent: QWidget,
        *,
        can_grow: bool,
    ) -> None:
        """`without_room`: its tools that the model isn't offered. `can_grow`: the model can have a larger context."""
        super().__init__(parent)
        self._server, self._consents = server, consents
        self.name = server.config.name
        shown = printable_text(self.name)
        self.setObjectName("toolServer")
        self.setProperty("card", True)
        self.setAccessibleName(shown)
        self.setAccessibleDescription(self._state_words())
        self.switch = CheckBox(shown, self)
        self.switch.setObjectName("enableToolServer")
        self.switch.setAccessibleName(self.tr("Enable {name}").format(name=shown))
        self.switch.setChecked(server.is_enabled)
        self.switch.setEnabled(server.config.problem is None)
        self.switch.clicked.connect(self.enabled)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID // 2, GRID, GRID, 3 * GRID // 2)
        layout.setSpacing(GRID // 2)
        layout.addLayout(self._head())
        for line in (server.config.description, *server.config.shown_settings):
            if line:
                layout.addWidget(self._text(printable_text(line)))
        layout.addWidget(self._state_label())
        if server.status.output and server.status.state is ServerState.FAILED:
            layout.addWidget(self._text("\n".join(server.status.output[-5:])))
        if server.status.left_out:
            words = self.tr("Left out: {tools}").format(tools=", ".join(server.status.left_out[:10]))
            layout.addWidget(muted_label(words, self))
        if without_room:
            layout.addWidget(self._room_label(without_room, can_grow=can_grow))
        for tool in server.status.tools:
            layout.addLayout(self._tool_row(tool))

    def _head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(GRID)
        head.addWidget(self.switch)
        head.addStretch()
        if self._server.is_enabled:
            is_elsewhere = bool(self._server.config.url)
            restart = TextButton(self.tr("Reconnect") if is_elsewhere else self.tr("Restart"), self)
            restart.setObjectName("restartToolServer")
            restart.clicked.connect(self.restart_requested)
            head.addWidget(restart)
        for name, icon, words, signal in (
            ("editToolServer", "edit", self.tr("Edit server…"), self.edit_requested),
            ("removeToolServer", "trash", self.tr("Remove server"), self.remove_requested),
        ):
            button = IconButton(icon, words, self)
            button.setObjectName(name)
            button.clicked.connect(signal)
            head.addWidget(button)
        return head

    def _state_label(self) -> QLabel:
        label = muted_label(self._state_words(), self)
        label.setObjectName("toolServerState")
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        is_bad = self._server.config.problem is not None or self._server.status.state is ServerState.FAILED
        if is_bad or self._server.was_changed:
            label.setProperty("muted", False)
            label.setProperty("danger" if is_bad else "warning", True)
        return label

    def _state_words(self) -> str:
        server = self._server
        if server.config.problem is not None:
            return translate_text(server.config.problem)
        if not server.is_enabled:
            return self.tr("Changed since it was enabled. Enable it again.") if server.was_changed else self.tr("Off")
        match server.status.state:
            case ServerState.RUNNING:
                n = len(server.status.tools)
                return self.tr("Running, 1 tool") if n == 1 else self.tr("Running, {n} tools").format(n=n)
            case ServerState.STARTING:
                return self.tr("Starting…")
            case ServerState.FAILED:
                reason = translate_text(server.status.reason) if server.status.reason is not None else ""
                return self.tr("Failed. {reason}").format(reason=reason).strip()
        return self.tr("Stopped")

    def _room_label(self, tools: Sequence[str], *, can_grow: bool) -> QLabel:
        words = self.tr("Left out for lack of room: {tools}. Turn off tools that you don't need.")
        if can_grow:
            words = self.tr(
                "Left out for lack of room: {tools}. Turn off tools that you don't need, or load the model "
                "with a larger context."
            )
        shown = ", ".join(map(printable_text, tools[:_MOST_NAMES])) + (", …" if len(tools) > _MOST_NAMES else "")
        label = QLabel(words.format(tools=shown), self)
        label.setObjectName("toolsWithoutRoom")
        label.setProperty("warning", True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        return label

    def _text(self, text: str) -> SelectableText:
        shown = SelectableText("toolServerText", self)
        shown.setPlainText(text)
        size = scaled_px(SMALL_PX)
        shown.setStyleSheet(f"QTextEdit {{ background: transparent; font-family: monospace; font-size: {size}px; }}")
        return shown

    def _tool_row(self, tool: ServerTool) -> QHBoxLayout:
        name = printable_text(tool.name)
        switch, always = CheckBox(name, self), CheckBox(self.tr("Always allow"), self)
        switch.setObjectName("enableTool")
        switch.setAccessibleName(name)
        switch.setToolTip(tooltip_text(printable_text(tool.description[:_LONGEST_TOOLTIP])))
        switch.setChecked(not self._consents.is_off(tool))
        switch.clicked.connect(lambda on: self.tool_switched.emit(tool, on))
        always.setObjectName("alwaysAllowTool")
        always.setAccessibleName(self.tr("Always allow {tool}").format(tool=name))
        always.setChecked(self._consents.is_always_allowed(tool))
        always.setEnabled(switch.isChecked())
        always.clicked.connect(lambda on: self.always_switched.emit(tool, on))
        row = QHBoxLayout()
        row.setSpacing(2 * GRID)
        row.addWidget(switch)
        row.addStretch()
        row.addWidget(always)
        return row

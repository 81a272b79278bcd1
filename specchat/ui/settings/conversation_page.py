"""The settings page for the system prompt, the presets and the sampling of a conversation."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from specchat.domain.connections import Lacks
from specchat.domain.conversations import ConversationSettings
from specchat.ui.settings.preset import Preset
from specchat.ui.settings.preset_bar import PresetBar
from specchat.ui.settings.prompt_edit import PromptEdit
from specchat.ui.settings.sampling_form import SamplingForm
from specchat.ui.widgets.controls import Separator
from specchat.ui.widgets.form_fields import describe_field, labelled_field, muted_label
from specchat.ui.widgets.theme import GRID


class ConversationPage(QWidget):
    changed = Signal(object)
    """The conversation's settings as they are now."""
    replaced = Signal(object)
    """The settings that a preset took the place of, when they are in no preset."""
    preset_saved = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = ConversationSettings()
        self._presets: Sequence[Preset] = ()
        self.preset_bar = PresetBar(self)
        self._prompt = PromptEdit(self)
        self._form = SamplingForm(self)
        self.setFocusProxy(self.preset_bar)
        explanation = self.tr("Tells the model how to answer. Sent at the start of the chat.")
        describe_field(self._prompt, "systemPrompt", self.tr("System prompt"), explanation)
        self._prompt.setPlaceholderText(self.tr("For example: Answer briefly and in plain words."))
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._without_conversation())
        self._pages.addWidget(self._with_conversation())
        self._prompt.edited.connect(self._edit_prompt)
        self._form.changed.connect(self._edit_sampling)
        self.preset_bar.picked.connect(self._use_preset)
        self.preset_bar.saved.connect(self._save_preset)

    def show_settings(self, settings: ConversationSettings | None, presets: Sequence[Preset] = ()) -> None:
        """None: no conversation is open."""
        self._pages.setCurrentIndex(0 if settings is None else 1)
        self._settings = settings or ConversationSettings()
        self._presets = presets
        self._prompt.show_text(self._settings.system_prompt)
        self._form.show_settings(self._settings)
        self._show_presets()

    def show_lacks(self, lacks: Lacks) -> None:
        """What the engine of the loaded model does not support."""
        self._form.show_lacks(lacks)

    def commit_edits(self) -> None:
        """What is typed and not yet told."""
        self._prompt.commit()

    def _edit_prompt(self, text: str) -> None:
        self._change(replace(self._settings, system_prompt=text))

    def _edit_sampling(self) -> None:
        self._change(self._form.applied_to(self._settings))

    def _use_preset(self, preset: Preset) -> None:
        self.commit_edits()
        before, is_kept = self._settings, self._current_preset() is not None
        settings = replace(preset.settings, preset=preset.name)
        self._prompt.show_text(settings.system_prompt)
        self._form.show_settings(settings)
        self._change(settings)
        if not is_kept:
            self.replaced.emit(before)

    def _save_preset(self, name: str) -> None:
        self.commit_edits()
        self._settings = replace(self._settings, preset=name)
        self.preset_saved.emit(Preset(name, self._settings))
        self.changed.emit(self._settings)

    def _change(self, settings: ConversationSettings) -> None:
        self._settings = settings
        current = self._current_preset()
        self._settings = replace(settings, preset=current.name if current else "")
        self._show_presets()
        self.changed.emit(self._settings)

    def _current_preset(self) -> Preset | None:
        """The one that these settings equal, first of all the one that they came from."""

        def is_current(preset: Preset) -> bool:
            return replace(preset.settings, preset="") == replace(self._settings, preset="")

        equal = [preset for preset in self._presets if is_current(preset)]
        return next((preset for preset in equal if preset.name == self._settings.preset), equal[0] if equal else None)

    def _show_presets(self) -> None:
        self.preset_bar.show_presets(self._presets, self._current_preset())

    def _without_conversation(self) -> QWidget:
        page = QWidget(self)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(muted_label(self.tr("No chat is open. Open a chat to change its settings."), page))
        layout.addStretch()
        return page

    def _with_conversation(self) -> QWidget:
        page = QWidget(self)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * GRID)
        layout.addWidget(labelled_field(self.tr("Preset"), self.preset_bar, page))
        layout.addWidget(Separator(page))
        layout.addWidget(labelled_field(self.tr("System prompt"), self._prompt, page))
        layout.addWidget(self._form)
        layout.addStretch(1)
        return page

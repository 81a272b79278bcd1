"""The fields that set the device and the GPU layers of one model."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from specchat.domain.types import Device, ModelSettings
from specchat.ui.pair.load_options import layer_count, wanted_layers
from specchat.ui.widgets.form_fields import ChoiceBox, IntegerField, labelled_field


class PlacementFields(QObject):
    """Two fields, each in a column of its own."""

    changed = Signal()

    def __init__(self, device_words: str, layers_words: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.device = ChoiceBox(parent)
        self.layers = IntegerField(0, 1, parent)
        self.columns = (
            labelled_field(device_words, self.device, parent),
            labelled_field(layers_words, self.layers, parent),
        )
        self._n_layer = 0
        self.device.currentIndexChanged.connect(self._device_changed)
        self.layers.valueChanged.connect(self.changed)

    def show_settings(self, settings: ModelSettings, n_layer: int, devices: Sequence[Device]) -> None:
        """Without layers there is no model, or nobody knows it."""
        self._n_layer = n_layer
        self._show_devices(settings.device, devices)
        self._show_layers(settings.gpu_layers)
        self._enable_layers()
        for column in self.columns:
            column.setEnabled(n_layer > 0)

    def applied_to(self, settings: ModelSettings) -> ModelSettings:
        if not self._n_layer:
            return settings
        layers = wanted_layers(self.layers.value(), self.layers.maximum())
        return replace(settings, device=self.device.currentData(), gpu_layers=layers)

    def _show_devices(self, chosen: str | None, devices: Sequence[Device]) -> None:
        items: list[tuple[str, str | None]] = [(self.tr("Automatic"), None)]
        for device in devices:
            items.append((_title(device), device.name))
        if chosen is not None and all(name != chosen for _, name in items):
            items.append((chosen, chosen))
        self._processors = {device.name for device in devices if device.kind == "cpu"}
        self.device.set_items(items, chosen)

    def _show_layers(self, wanted: int | None) -> None:
        """The output counts as one more layer."""
        most = self._n_layer + 1
        blocked = self.layers.blockSignals(True)
        self.layers.setMaximum(most)
        self.layers.setSuffix(self.tr(" of {n}").format(n=most))
        self.layers.setValue(layer_count(wanted, most))
        self.layers.blockSignals(blocked)

    def _device_changed(self) -> None:
        self._enable_layers()
        self.changed.emit()

    def _enable_layers(self) -> None:
        self.layers.setEnabled(self.device.currentData() not in self._processors)


def _title(device: Device) -> str:
    """Of the processor the name is enough: there is only one."""
    described = device.kind != "cpu" and device.description
    return f"{device.name} · {device.description}" if described else device.name

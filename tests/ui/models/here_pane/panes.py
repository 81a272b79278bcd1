from pathlib import Path
from typing import TypeVar

from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QWidget,
)

from specchat.domain.translatable_text import TranslatableText
from specchat.services.models.pair_fit import LocalModel, Origin
from specchat.ui.models.cards import CardList
from specchat.ui.models.local_model_card import LocalModelCard
from specchat.ui.models.local_models_pane import LocalModelsPane

T = TypeVar("T", bound=QWidget)


FOLDER = Path("/srv/models")
SEA = LocalModel(
    path=Path("/hub/models--sea--sea-7b/snapshots/abc/sea-7b.gguf"),
    name="Sea 7B Instruct",
    origin=Origin.HUB,
    size=4_700_000_000,
    parameters=7_620_000_000,
    quantization="Q4_K_M",
    n_ctx_train=131072,
    n_layer=28,
    reference="sea/sea-7b:sea-7b.gguf",
    ours=True,
)
STUDIO = LocalModel(Path("/studio/lake.gguf"), "Lake 3B", Origin.LM_STUDIO, 2_000_000_000, quantization="Q8_0")
MINE = LocalModel(FOLDER / "deep/pond.gguf", "Pond", Origin.FOLDER, 500_000_000)
GONE = LocalModel(
    Path("/gone.gguf"), "gone", Origin.ADDED, problems=(TranslatableText("It is not there."),), missing=True
)
ADDED = LocalModel(Path("/added.gguf"), "Brook", Origin.ADDED, 300_000_000)
DEMO = LocalModel(Path("/demo.gguf"), "Demo", Origin.DEMO, 12_000_000)
MODELS = (ADDED, DEMO, GONE, MINE, SEA, STUDIO)


def find(place: QWidget, kind: type[T], name: str) -> T:
    found = place.findChild(kind, name)
    assert isinstance(found, kind)
    return found


def listed(pane: LocalModelsPane) -> list[str]:
    return [card.accessibleName() for card in find(pane, CardList, "hereList").cards]


def card(pane: LocalModelsPane, model: LocalModel) -> LocalModelCard:
    found = next(each for each in find(pane, CardList, "hereList").cards if each.key == model.path)
    assert isinstance(found, LocalModelCard)
    return found


def words(place: QWidget) -> list[str]:
    QApplication.sendPostedEvents()  # what was added just now is shown by one
    return [label.text() for label in place.findChildren(QLabel) if label.isVisibleTo(place)]

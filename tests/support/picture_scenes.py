"""The window with pictures: in a chat, in the message being written, and in their dialog."""

from dataclasses import replace

from PySide6.QtCore import QBuffer, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QLinearGradient, QPainter, QPolygonF
from PySide6.QtWidgets import QMenu, QToolButton
from support.recordings import recording
from support.stage import ONE, Scene, Stage, settle

from specchat.domain.conversations import Attachment
from specchat.domain.pictures import Picture
from specchat.domain.types import Role
from specchat.ui.pictures.thumbnails import Thumbnails
from specchat.ui.transcript import Entry

_ANSWER = "The first picture shows **a harbour at low tide**; the second one a chart with two spring tides."
_HEARD = "She says that **high water is at ten past four**, and that the northern sluice stays shut until then."


def coast(name: str = "harbour.jpg", width: int = 1600, height: int = 1000) -> Picture:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    sky = QLinearGradient(0, 0, 0, height)
    for place, colour in ((0.0, "#5b8db8"), (0.6, "#f4d9b0"), (0.601, "#3d6b7d"), (1.0, "#c9b48f")):
        sky.setColorAt(place, QColor(colour))
    painter.fillRect(image.rect(), sky)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor("#46594b"))
    hills = [(0.0, 0.6), (0.15, 0.45), (0.3, 0.55), (0.5, 0.4), (0.7, 0.6)]
    painter.drawPolygon(QPolygonF([QPointF(x * width, y * height) for x, y in hills]))
    painter.setBrush(QColor("#fff6df"))
    painter.drawEllipse(QPointF(0.8 * width, 0.25 * height), 0.06 * height, 0.06 * height)
    painter.end()
    return _picture(image, name)


def chart(name: str = "tides.png") -> Picture:
    image = QImage(500, 700, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    for day in range(14):
        height = 150 + 25 * ((day * 5) % 14)
        painter.fillRect(30 + 32 * day, 660 - height, 22, height, QColor("#4c72b0"))
    painter.end()
    return _picture(image, name)


def _picture(image: QImage, name: str) -> Picture:
    buffer = QBuffer()
    image.save(buffer, "JPEG" if name.endswith(".jpg") else "PNG")  # type: ignore[call-overload]
    return Picture(bytes(buffer.data().data()), name)


def pictures(stage: Stage) -> None:
    stage.open(0)
    controller = stage.controller
    pair = controller.session.pair
    assert pair is not None
    controller.session.set_pair(replace(pair, sees_pictures=True), controller.session.choice)
    minutes = Attachment("minutes.txt", "Of the harbour board")
    question = Entry(
        1, Role.USER, "What do these two have in common?", attachments=(minutes,), pictures=(coast(), chart())
    )
    controller.window.transcript.show_entries([question, Entry(2, Role.ASSISTANT, _ANSWER)])
    controller.window.composer.set_attachments(
        (coast("beach.jpg", 700, 900), chart("a chart of spring tides.png"), minutes)
    )
    controller.window.composer.set_text("And these?")
    settle()
    thumbnails = controller.window.findChildren(Thumbnails)
    assert thumbnails
    while any(each.is_loading for each in thumbnails):
        settle()


def recordings(stage: Stage) -> None:
    """A conversation with a recording, and a message with another and a document."""
    stage.open(0)
    controller = stage.controller
    pair = controller.session.pair
    assert pair is not None
    both = replace(pair, sees_pictures=True, hears_recordings=True)
    controller.session.set_pair(both, controller.session.choice)
    minutes = Attachment("minutes.txt", "Of the harbour board")
    talk, memo = recording(37.0, 1, "harbour master.wav"), recording(8.0, 2, "a memo to the crew of the tide gauge.wav")
    question = Entry(1, Role.USER, "What does she say?", attachments=(minutes,), recordings=(talk,))
    controller.window.transcript.show_entries([question, Entry(2, Role.ASSISTANT, _HEARD)])
    controller.window.composer.set_attachments((chart(), memo, minutes))
    controller.window.composer.set_text("And who is this memo for?")
    settle()
    thumbnails = controller.window.findChildren(Thumbnails)
    while any(each.is_loading for each in thumbnails):
        settle()


def unheard(stage: Stage) -> None:
    stage.open(0)
    stage.controller.window.composer.attaching.recordings_refused.emit()


def viewer(stage: Stage) -> None:
    pictures(stage)
    transcript = stage.controller.window.transcript
    row = transcript.row_of(1)
    assert row is not None
    transcript.message_actions.open_picture(row, 0)
    settle()


def refused(stage: Stage) -> None:
    stage.open(0)
    stage.controller.window.composer.attaching.pictures_refused.emit()


def attach_menu(stage: Stage) -> None:
    pictures(stage)
    stage.find(QToolButton, "attachButton").click()
    settle()


SCENES = {
    "attach-menu": Scene(attach_menu, lambda stage: stage.find(QMenu, "attachMenu"), ONE),
    "pictures": Scene(pictures, twice=True),
    "picture-viewer": Scene(viewer, Stage.dialog, ONE),
    "pictures-refused": Scene(refused, sizes=ONE),
    "recordings": Scene(recordings, twice=True),
    "recordings-refused": Scene(unheard, sizes=ONE),
}

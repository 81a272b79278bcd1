"""Chats with documents of which pictures are taken."""

from collections.abc import Mapping
from dataclasses import replace

from support import sample_chats
from support.stage import ONE, Scene, Stage, settle
from support.talks import conversation

from specchat.domain.conversations import Attachment
from specchat.domain.documents import DocumentSource, Passage, find_place, mark

_SENTENCE = "The tide comes in and goes out again, twice a day, and the harbour keeps a record of it. "
_REPORT = "".join(
    f"{mark(f'p. {n}')}{n}. Measurements\n\n{_SENTENCE * 4}\n\n{_SENTENCE * 3}\n\n" for n in range(1, 201)
)
_QUESTION = "How high was the highest tide, and who measured it?"
_ANSWER = """The highest tide was **5.8 m** above the zero of the gauge [harbour-report.pdf, p. 180]. The keeper of the
lighthouse measured it, with the gauge that had been repaired in March [harbour-report.pdf, p. 42].

The record before was 5.5 m, in 1962 [harbour-report.pdf, pp. 17-18]."""
_PAGES = (1, 17, 18, 42, 43, 96, 120, 151, 179, 180, 181, 199)


def _passage(page: int) -> Passage:
    place = find_place(_REPORT, f"p. {page}")
    assert place is not None
    return place


def documents(stage: Stage) -> None:
    """An answer with citations; in the composer files, one of which is being read."""
    made = conversation("The highest tide", [(_QUESTION, _ANSWER)], now=sample_chats.NOW - 60)
    question, answer = made.messages
    question = replace(question, attachments=(Attachment("harbour-report.pdf", _REPORT),))
    source = DocumentSource("harbour-report.pdf", tuple(map(_passage, _PAGES)))
    answers = {answer.id: replace(made.answers[answer.id], sources=(source,))}
    controller = stage.controller
    store = controller.services.conversations._store
    (chat,) = store.add_trees([replace(made, messages=(question, answer), answers=answers)])
    controller.chat.open(chat)
    controller.chat_list.refresh()
    code = f"{mark('gauge/read.py:1')}import serial\n\n{mark('gauge/write.py:1')}import csv\n\n"
    composer = controller.window.composer
    composer.set_attachments((Attachment("gauge/", code), Attachment("storms.pdf", _REPORT.replace("tide", "storm"))))
    composer._reading.show_documents(["minutes-of-march.docx"])
    settle()


def viewer(stage: Stage) -> None:
    """At the passages of an answer."""
    documents(stage)
    answer = stage.controller.session.path[-1]
    stage.controller.window.transcript.link_requested.emit(f"passages:{answer.id}")
    stage.controller.documents.viewer()._list.setCurrentRow(9)
    settle()


SCENES: Mapping[str, Scene] = {
    "documents": Scene(documents, sizes=ONE),
    "document-viewer": Scene(viewer, Stage.dialog, ONE),
}

"""What was attached is found in its chat as it is from the list of all."""

from PySide6.QtWidgets import QLabel, QLineEdit
from support.desks import Person

from specchat.domain.conversations import Attachment


def test_a_hit_in_an_attached_file_is_shown(person: Person) -> None:
    person.keep_short()
    person.window.composer.set_attachments((Attachment("a.txt", "a horse"), Attachment("b.txt", "a zebra")))
    person.ask("What is this?")
    chat = person.controller.session.conversation
    assert chat is not None
    person.click("newChatButton")
    person.find(QLineEdit, "searchBox").setText("zebra")
    person.qtbot.waitUntil(lambda: person.controller.chat_list._query == "zebra")
    person.window.sidebar.list.hit_open_requested.emit(
        chat.id, person.controller.services.conversations.search("zebra")[0].message
    )
    assert person.find(QLabel, "findPosition").text() == "1 of 1"
    assert person.find(QLineEdit, "findField").accessibleDescription() == "1 of 1, in an attached file"
    assert person.window.transcript.finder.file_matches(person.path[0].id) == {1: True}

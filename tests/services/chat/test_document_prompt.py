"""Prompts with passages in place of documents that are too long."""

from dataclasses import replace

from support.pictures import picture

from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import Attachment, ConversationSettings, StoredMessage
from specchat.domain.documents import mark
from specchat.domain.media import Senses
from specchat.domain.projects import ProjectContext
from specchat.domain.types import Role
from specchat.services.chat.prompt_messages import documents_of_path, format_attachment

BOOK = "".join(f"{mark(f'p. {n}')}Nothing much happens here, page after page.\n\n" * 1 for n in range(1, 400))
BOOK = BOOK.replace("[p. 300]\nNothing much", "[p. 300]\nThe keeper Ottilie laughs; nothing much")
REPORT, NOTES = Attachment("report.pdf", BOOK), Attachment("notes.txt", "Buy tea.")


def path(*texts: str, attachments: tuple[Attachment, ...]) -> list[StoredMessage]:
    roles = (Role.USER, Role.ASSISTANT)
    return [
        StoredMessage(n + 1, 1, n or None, roles[n % 2], text, 0.0, attachments=attachments if n == 0 else ())
        for n, text in enumerate(texts)
    ]


def test_a_document_that_fits_is_sent_whole_with_its_places() -> None:
    text = format_attachment(Attachment("a.pdf", f"{mark('p. 1')}One.\n\n{mark('p. 2')}Two.\n\n"))
    assert text == ("File: a.pdf. Cite its places like this: [a.pdf, p. 1]\n```\n[p. 1]\nOne.\n\n[p. 2]\nTwo.\n\n```")


def test_plain_text_is_sent_as_it_is() -> None:
    assert format_attachment(NOTES) == "File: notes.txt\n```\nBuy tea.\n```"


def test_the_passages_go_with_the_newest_question() -> None:
    asked = path("What is this?", "A report.", "Who is Ottilie?", attachments=(REPORT, NOTES))
    documents = documents_of_path(asked, ConversationSettings("Be brief."))
    assert documents is not None
    condensed = documents.condense(2048)
    assert condensed is not None
    system, first, answer, last = condensed.messages
    assert (system.content, answer.content) == ("Be brief.", "A report.")
    assert first.content == "File: notes.txt\n```\nBuy tea.\n```\n\n(Attached: report.pdf)\n\nWhat is this?"
    assert last.content.startswith("Passages from report.pdf. Cite them like this: [report.pdf, p. ")
    assert "[report.pdf, p. 300]\nThe keeper Ottilie laughs" in last.content
    assert last.content.endswith("End of report.pdf.\n\nWho is Ottilie?")
    (source,) = condensed.sources
    assert source.name == "report.pdf"
    assert "p. 300" in [each.label for each in source.passages]
    assert documents.condense(2048) == condensed


def test_small_files_stay_whole() -> None:
    documents = documents_of_path(path("Why?", attachments=(NOTES,)), ConversationSettings())
    assert documents is not None
    assert documents.condense(2048) is None
    assert not documents.is_certainly_too_long(2048)


def test_blanks_count_as_few_tokens() -> None:
    blank = Attachment("blank.txt", f"Nothing{' ' * 100_000}here")
    documents = documents_of_path(path("Why?", attachments=(blank,)), ConversationSettings())
    assert documents is not None
    assert documents.condense(2048) is None
    assert not documents.is_certainly_too_long(2048)


def test_many_small_files_are_searched_together() -> None:
    files = tuple(Attachment(f"{n}.txt", f"number {n} " * 60) for n in range(200))
    documents = documents_of_path(path("number 77", attachments=files), ConversationSettings())
    assert documents is not None
    assert documents.is_certainly_too_long(2048)
    condensed = documents.condense(2048)
    assert condensed is not None
    assert "77.txt" in {source.name for source in condensed.sources}


def test_without_attachments_there_is_nothing_to_search() -> None:
    assert documents_of_path(path("Hello", attachments=()), ConversationSettings()) is None


def test_an_unsent_message_is_counted_with_passages() -> None:
    above = path("What is this?", "A report.", attachments=(REPORT,))
    documents = documents_of_path(above, ConversationSettings(), [NOTES, Attachment("other.pdf", BOOK)])
    assert documents is not None
    task = documents.condensed_count(100, 2048)
    assert task is not None
    assert task.max_tokens == 100
    assert set(task.searched) == {"report.pdf", "other.pdf"}
    assert task.attachments[0] == format_attachment(NOTES)
    assert len(task.messages) == len(above)  # passages are no message that could be left out
    assert sum(map(len, (*(message.content for message in task.messages), *task.attachments[1:]))) < 4 * 2048


def test_a_chat_without_a_question_reads_passages_of_its_projects_files() -> None:
    documents = documents_of_path([], ConversationSettings(), project=ProjectContext("Be exact.", (REPORT,)))
    assert documents is not None
    assert documents.is_certainly_too_long(256)
    assert list(documents.prepare(256, CancelToken())) == []
    condensed = documents.condense(256)
    assert condensed is not None
    assert [message.role for message in condensed.messages] == [Role.SYSTEM, Role.USER]
    assert condensed.messages[-1].content.startswith("Passages from report.pdf.")


def test_pictures_stay_where_they_were_sent() -> None:
    first, *rest = path("What is this?", "A report.", "Who is Ottilie?", attachments=(REPORT,))
    documents = documents_of_path(
        [replace(first, pictures=(picture(),)), *rest], ConversationSettings(), senses=Senses(sees=True)
    )
    assert documents is not None
    condensed = documents.condense(2048)
    assert condensed is not None
    assert [message.pictures for message in condensed.messages] == [(picture(),), (), ()]

"""Projects, as the window and the commands use them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from support.chats import Clock, import_copies, varied_tree

from specchat.domain.conversations import Attachment, ConversationSettings, StoredMessage
from specchat.domain.errors import SettingError, UserError
from specchat.domain.projects import ProjectContext, ProjectSettings
from specchat.domain.stored_prompt import find_placeholder
from specchat.domain.types import Message, Role
from specchat.services.chat.conversation_files import ConversationFiles
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.message_service import MessageService
from specchat.services.chat.project_service import ProjectService
from specchat.services.chat.prompt_library import PromptLibrary
from specchat.services.chat.prompt_messages import build_prompt_messages, documents_of_path, format_attachment
from specchat.store.chat_store import SqliteChatStore
from specchat.store.projects import SqliteProjects
from specchat.store.stored_prompts import SqliteStoredPrompts

NOTES = Attachment("notes.txt", "The spring tide comes at new moon.")
QUESTION = StoredMessage(1, 1, None, Role.USER, "When?", 1.0)
PLAIN = ConversationSettings()


@pytest.fixture
def projects(chats: SqliteChatStore, clock: Clock) -> ProjectService:
    return ProjectService(SqliteProjects(chats.database), clock)


@pytest.fixture
def library(chats: SqliteChatStore) -> PromptLibrary:
    return PromptLibrary(SqliteStoredPrompts(chats.database))


def test_names_are_unique_and_one_line(projects: ProjectService) -> None:
    first, second = projects.create(" New\nproject "), projects.create("new project")
    assert [each.name for each in projects.list_all()] == ["New project", "new project (2)"]
    assert projects.rename(second.id, "NEW PROJECT").name == "NEW PROJECT (2)"
    assert projects.rename(second.id, " ").name == "NEW PROJECT (2)"
    projects.delete(first.id)
    assert projects.rename(second.id, "New project").name == "New project"
    assert projects.restore(first.id).name == "New project (2)"


def test_deleting_can_be_undone(projects: ProjectService, conversations: ConversationService) -> None:
    thesis = projects.create("Thesis")
    chat = conversations.create(PLAIN, thesis.id)
    projects.delete(thesis.id)
    assert (projects.list_all(), projects.find(thesis.id)) == ([], None)
    assert [each.id for each in projects.list_trash()] == [thesis.id]
    assert conversations.get(chat.id).project is None
    projects.restore(thesis.id)
    assert conversations.get(chat.id).project == thesis.id
    projects.delete(thesis.id)
    conversations.empty_trash()
    with pytest.raises(UserError, match="project was deleted"):
        projects.restore(thesis.id)


def test_new_chats_begin_where_they_are_wanted(projects: ProjectService, conversations: ConversationService) -> None:
    """The untouched one is used again, wherever it is."""
    thesis = projects.create("Thesis")
    first = conversations.create(PLAIN)
    assert conversations.create(PLAIN, thesis.id) == conversations.get(first.id)
    assert conversations.get(first.id).project == thesis.id
    assert conversations.create(PLAIN).project is conversations.get(first.id).project is None


def test_a_branch_stays_in_the_project(
    projects: ProjectService, conversations: ConversationService, messages: MessageService
) -> None:
    thesis = projects.create("Thesis")
    question = messages.add_question(conversations.create(PLAIN, thesis.id).id, "When?")
    assert conversations.branch(question.id).project == thesis.id


def test_several_chats_go_and_come_back_at_once(
    conversations: ConversationService, messages: MessageService, projects: ProjectService
) -> None:
    ids = []
    for text in ("one", "two", "three"):
        ids.append(conversations.create(PLAIN).id)
        messages.add_question(ids[-1], text)
    thesis = projects.create("Thesis")
    conversations.move(ids[:2], thesis.id)
    assert projects.chats(thesis.id) == ids[:2]
    conversations.delete(*ids[1:])
    assert [each.id for each in conversations.list_all()] == ids[:1]
    assert projects.chats(thesis.id) == ids[:1]
    conversations.restore(*ids[1:])
    assert [each.project for each in map(conversations.get, ids)] == [thesis.id, thesis.id, None]


def test_json_carries_the_name_of_the_project(
    tmp_path: Path, chats: SqliteChatStore, projects: ProjectService, clock: Clock
) -> None:
    exports, thesis = ConversationFiles(chats, clock), projects.create("Thesis")
    (original,) = chats.add_trees([varied_tree()])
    chats.move_to_project([original], thesis.id)
    exports.write(tmp_path / "one.json", [original])
    (plain,) = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))["conversations"]
    assert plain["project"] == "Thesis"
    (copy,) = import_copies(chats, tmp_path / "one.json")
    assert chats.conversation(copy).project == thesis.id
    projects.delete(thesis.id)
    (again,) = import_copies(chats, tmp_path / "one.json")
    assert [each.name for each in projects.list_all()] == ["Thesis"]
    assert chats.conversation(again).project != thesis.id


def test_the_project_comes_first_in_every_prompt(projects: ProjectService) -> None:
    thesis = projects.create("Thesis")
    projects.change_settings(thesis.id, ProjectSettings("Be exact."))
    projects.save_files(thesis.id, [NOTES])
    context = projects.context(thesis.id)
    assert context == ProjectContext("Be exact.", (NOTES,))
    system = f"Be exact.\n\n{format_attachment(NOTES)}\n\nBe brief."
    messages = build_prompt_messages([QUESTION], ConversationSettings("Be brief."), project=context)
    assert messages == (Message(Role.SYSTEM, system), Message(Role.USER, "When?"))
    assert projects.context(None) == projects.context(99) == ProjectContext()


def test_long_files_of_a_project_are_searched() -> None:
    book = Attachment("book.txt", "\n\n".join(f"Paragraph {n} tells of number {n}. " * 8 for n in range(400)))
    context = ProjectContext("Be exact.", (NOTES, book))
    asked = [replace(QUESTION, text="What of number 77?")]
    documents = documents_of_path(asked, PLAIN, project=context)
    assert documents is not None
    condensed = documents.condense(4096)
    assert condensed is not None
    system, question = condensed.messages
    assert system.content == f"Be exact.\n\n{format_attachment(NOTES)}"
    assert "number 77" in question.content.removesuffix("What of number 77?")
    assert [source.name for source in condensed.sources] == ["book.txt"]
    counted = documents.condensed_count(None, 4096)
    assert counted is not None
    assert counted.messages[0] == system
    assert "book.txt" in counted.searched


def test_prompts_are_found_by_their_names(library: PromptLibrary) -> None:
    for name in ("Review code", "Code", "Translate"):
        library.save(name, f"{name}: {{{{text}}}}")
    assert [each.name for each in library.list_prompts()] == ["Code", "Review code", "Translate"]
    assert [each.name for each in library.find("code")] == ["Code", "Review code"]
    assert library.find("nothing") == []


def test_a_prompt_is_changed_in_place(library: PromptLibrary) -> None:
    library.save(" Review\ncode ", "Review it.")
    library.save("Review", "Review {{code}}.", replaced="Review code")
    assert [(each.name, each.text) for each in library.list_prompts()] == [("Review", "Review {{code}}.")]
    library.remove("Review")
    assert library.list_prompts() == []


@pytest.mark.parametrize(
    ("name", "text", "kept"),
    [
        (" ", "Mend it.", "Mend it"),
        ("review", "Mend it.", "review (2)"),
        ("", "review", "review (2)"),
        ("", "...", "/"),
    ],
)
def test_a_prompt_gets_a_name_of_its_own(library: PromptLibrary, name: str, text: str, kept: str) -> None:
    library.save("Review", "Review it.")
    assert library.save(name, text).name == kept
    with pytest.raises(SettingError):
        library.save("Name", " \n")


@pytest.mark.parametrize(
    ("text", "start", "found"),
    [("Into {{language}}: {{text}}", 0, (5, 17)), ("Into {{language}}: {{text}}", 17, (19, 27)), ("{{}} {a}", 0, None)],
)
def test_placeholders(text: str, start: int, found: tuple[int, int] | None) -> None:
    assert find_placeholder(text, start) == found

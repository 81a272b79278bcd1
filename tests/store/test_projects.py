"""Projects and the prompt library in the database."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from support.chats import SETTINGS, add, varied_tree

from specchat.domain.conversations import Attachment, Conversation, ConversationSettings
from specchat.domain.errors import DamagedChatsError
from specchat.domain.projects import Project, ProjectPair, ProjectSettings
from specchat.domain.stored_prompt import StoredPrompt
from specchat.store.chat_store import SqliteChatStore, open_chat_store
from specchat.store.database import Database
from specchat.store.migrations import migrate
from specchat.store.projects import SqliteProjects
from specchat.store.salvage.salvage import salvage
from specchat.store.schema import MIGRATIONS
from specchat.store.stored_prompts import SqliteStoredPrompts

FILES = (Attachment("notes.txt", "low\nhigh"), Attachment("größe.md", ""))
THESIS = ProjectSettings("Be exact.", ProjectPair("owner/repo:target.gguf", "owner/repo:draft.gguf"))


@pytest.fixture
def projects(chats: SqliteChatStore) -> SqliteProjects:
    return SqliteProjects(chats.database)


@pytest.fixture
def thesis(projects: SqliteProjects) -> Project:
    made = replace(projects.add_project("Thesis", 5.0), settings=THESIS, is_folded=True)
    projects.save_project(made)
    projects.save_files(made.id, FILES)
    return made


def test_a_project_is_as_it_was_saved(projects: SqliteProjects, thesis: Project) -> None:
    assert projects.projects() == [thesis]
    assert projects.files(thesis.id) == FILES
    projects.save_files(thesis.id, FILES[1:])
    assert projects.files(thesis.id) == FILES[1:]


def test_chats_count_as_being_in_none_while_their_project_is_in_the_trash(
    chats: SqliteChatStore, projects: SqliteProjects, thesis: Project, conversation: Conversation
) -> None:
    add(chats, conversation, "What is a tide?")
    chats.move_to_project([conversation.id], thesis.id)
    assert projects.chats(thesis.id) == [conversation.id]
    assert [hit.project for hit in chats.search("tide", 10)] == ["Thesis"]
    projects.save_project(replace(thesis, trashed=9.0))
    chats.save_conversation(replace(chats.conversation(conversation.id), title="Tides"))
    assert [each.project for each in chats.conversations()] == [None]
    assert (projects.projects(), projects.trashed_projects()) == ([], [replace(thesis, trashed=9.0)])
    assert {hit.project for hit in chats.search("tide", 10)} == {""}
    projects.save_project(thesis)
    assert [each.project for each in chats.conversations()] == [thesis.id]


def test_the_list_of_projects_reads_no_chats(chats: SqliteChatStore, projects: SqliteProjects) -> None:
    """The sidebar asks for it often, and there may be many chats."""
    project = projects.add_project("Garden", 5.0)
    chats.move_to_project(chats.add_trees([varied_tree()] * 1000), project.id)
    steps: list[None] = []
    chats.database._connection.set_progress_handler(lambda: steps.append(None), 10)
    assert projects.projects() == [project]
    chats.database._connection.set_progress_handler(None, 0)
    assert len(steps) < 100


def test_what_is_purged_leaves_the_chats(
    chats: SqliteChatStore, projects: SqliteProjects, thesis: Project, conversation: Conversation
) -> None:
    chats.move_to_project([conversation.id], thesis.id)
    projects.purge_project(thesis.id)
    assert projects.projects() == [thesis]
    projects.save_project(replace(thesis, trashed=9.0))
    chats.purge(before=9.0)
    assert projects.trashed_projects() != []
    chats.purge(before=10.0)
    assert (projects.trashed_projects(), projects.files(thesis.id)) == ([], ())
    assert chats.conversation(conversation.id).project is None


def test_trees_come_into_the_project_of_their_name(
    chats: SqliteChatStore, projects: SqliteProjects, thesis: Project
) -> None:
    trees = [replace(varied_tree(), project=name) for name in ("thesis", "Garden", "Garden", "")]
    added = [chats.conversation(each).project for each in chats.add_trees(trees)]
    garden = next(each for each in projects.projects() if each.name == "Garden")
    assert added == [thesis.id, garden.id, garden.id, None]
    assert chats.tree(chats.conversations()[0].id).project in ("Thesis", "Garden", "")


def test_prompts_are_told_apart_by_their_names(chats: SqliteChatStore) -> None:
    prompts = SqliteStoredPrompts(chats.database)
    prompts.save_prompt(StoredPrompt("Fix", "Fix {{code}}"), "")
    prompts.save_prompt(StoredPrompt("fix", "Mend {{code}}"), "")
    prompts.save_prompt(StoredPrompt("Translate", "Into {{language}}"), "fix")
    assert prompts.prompts() == [StoredPrompt("Translate", "Into {{language}}")]
    prompts.remove_prompt("translate")
    assert prompts.prompts() == []


def test_what_nobody_wrote_is_damage(chats: SqliteChatStore, projects: SqliteProjects, thesis: Project) -> None:
    chats.database.execute("UPDATE project_file SET text = x'00'")
    with pytest.raises(DamagedChatsError):
        projects.files(thesis.id)
    chats.database.execute("UPDATE project SET settings = '[]'")
    with pytest.raises(DamagedChatsError):
        projects.projects()


def test_chats_from_before_are_in_none(chats_path: Path) -> None:
    with closing(Database(chats_path)) as database:
        migrate(database, MIGRATIONS[:4])
        database.execute("INSERT INTO conversation VALUES (1, 'Fruit', 1, 1, 0, 0, NULL, NULL, '', '{}')")
    with closing(open_chat_store(chats_path)) as store:
        assert store.conversation(1).project is None
        store.move_to_project([1], SqliteProjects(store.database).add_project("Thesis", 2.0).id)
        assert store.conversation(1).project == 1


def test_salvaging_keeps_projects_and_rows_from_before_they_were_known(chats_path: Path) -> None:
    with closing(Database(chats_path)) as database:
        migrate(database, MIGRATIONS[:4])
        database.execute("INSERT INTO conversation VALUES (1, 'Fruit', 1, 1, 0, 0, NULL, NULL, '', '{}')")
    with closing(open_chat_store(chats_path)) as store:
        projects = SqliteProjects(store.database)
        thesis = projects.add_project("Thesis", 2.0)
        projects.save_files(thesis.id, FILES)
        store.move_to_project([store.add_conversation(SETTINGS, 3.0).id], thesis.id)
        SqliteStoredPrompts(store.database).save_prompt(StoredPrompt("Fix", "Fix it"), "")
    found = salvage(chats_path)
    with closing(SqliteChatStore(found.database)) as store:
        assert [(each.title, each.project) for each in store.conversations()] == [("", thesis.id), ("Fruit", None)]
        projects = SqliteProjects(store.database)
        assert (projects.projects(), projects.files(thesis.id)) == ([thesis], FILES)
        assert SqliteStoredPrompts(store.database).prompts() == [StoredPrompt("Fix", "Fix it")]
    assert list(found.damaged) == []


def test_salvaging_a_chat_whose_project_is_lost_leaves_it_in_none(chats_path: Path) -> None:
    with closing(open_chat_store(chats_path)) as store:
        chat = store.add_conversation(ConversationSettings(), 3.0)
        store.move_to_project([chat.id], SqliteProjects(store.database).add_project("Thesis", 2.0).id)
        store.database.execute("PRAGMA foreign_keys = OFF")
        store.database.execute("DELETE FROM project")
    found = salvage(chats_path)
    with closing(SqliteChatStore(found.database)) as store:
        assert [each.project for each in store.conversations()] == [None]
    assert [each.id for each in found.damaged] == [chat.id]

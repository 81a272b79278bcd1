"""Exports of other programs, in their true shapes."""

import json
from typing import Any

from specchat.domain.types import Role

Json = dict[str, Any]


def node(name: str, parent: str | None, role: str, *parts: object, **more: object) -> Json:
    content = {"content_type": "text" if all(isinstance(part, str) for part in parts) else "multimodal_text"}
    message = {
        "id": name,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": 1700000001.5,
        "content": {**content, "parts": list(parts)},
        "status": "finished_successfully",
        "weight": 1.0,
        "metadata": {"model_slug": "gpt-4o"} if role == "assistant" else {},
        "recipient": "all",
        **more,
    }
    return {"id": name, "message": message, "parent": parent, "children": []}


def chatgpt(*nodes: Json, current: str = "a2", title: str = "Tides") -> Json:
    root = {"id": "root", "message": None, "parent": None, "children": ["s"]}
    hidden = node("s", "root", "system", "", metadata={"is_visually_hidden_from_conversation": True})
    return {
        "title": title,
        "create_time": 1700000000.25,
        "update_time": 1700000100.0,
        "mapping": {each["id"]: each for each in (root, hidden, *nodes)},
        "moderation_results": [],
        "current_node": current,
        "conversation_id": "0b6f",
        "is_archived": False,
    }


TIDES = (
    node("q", "s", "user", "Why tides?"),
    node("a1", "q", "assistant", "The moon."),
    node("a2", "q", "assistant", "The moon and the sun.\ue200cite\ue202turn0search0\ue201"),
)
TALK = [(Role.USER, "Why tides?"), (Role.ASSISTANT, "The moon and the sun.")]


def custom_instructions(**metadata: object) -> Json:
    """As ChatGPT keeps them in each chat."""
    content = {
        "content_type": "user_editable_context",
        "user_profile": "The user provided the following information about themselves.\nUser profile:\n```I sail.```",
        "user_instructions": "How they would like you to respond:\n```Be brief.```",
    }
    hidden = {"is_visually_hidden_from_conversation": True, "is_user_system_message": True, **metadata}
    return node("i", "s", "user", content=content, metadata=hidden)


def claude(*messages: Json, title: str = "Tides") -> Json:
    return {
        "uuid": "5c6d",
        "name": title,
        "summary": "",
        "created_at": "2023-11-14T22:13:20.250000Z",
        "updated_at": "2023-11-14T22:15:00.000000Z",
        "account": {"uuid": "a"},
        "chat_messages": list(messages),
    }


def claude_message(name: str, parent: str | None, sender: str, *blocks: Json, **more: object) -> Json:
    return {
        "uuid": name,
        "text": "".join(block.get("text", "") for block in blocks),
        "content": [{"start_timestamp": None, "stop_timestamp": None, **block, "citations": []} for block in blocks],
        "sender": sender,
        "created_at": "2023-11-14T22:13:21.500000+00:00",
        "updated_at": "2023-11-14T22:13:21.500000+00:00",
        "attachments": [],
        "files": [],
        **({} if parent is None else {"parent_message_uuid": parent}),
        **more,
    }


def claude_text(text: str) -> Json:
    return {"type": "text", "text": text}


CLAUDE_ROOT = "00000000-0000-4000-8000-000000000000"
CLAUDE_TIDES = (
    claude_message("q", CLAUDE_ROOT, "human", claude_text("Why tides?")),
    claude_message("a1", "q", "assistant", claude_text("The moon.")),
    claude_message(
        "a2",
        "q",
        "assistant",
        {"type": "thinking", "thinking": "It is gravity."},
        claude_text("The moon and the sun."),
    ),
)


def open_webui(**chat: object) -> Json:
    messages = {
        "1": {"id": "1", "parentId": None, "childrenIds": ["2", "3"], "role": "user", "content": "Why tides?"},
        "2": {"id": "2", "parentId": "1", "childrenIds": [], "role": "assistant", "content": "The moon."},
        "3": {
            "id": "3",
            "parentId": "1",
            "childrenIds": [],
            "role": "assistant",
            "content": '<details type="reasoning" done="true" duration="3">\n<summary>Thought for 3 seconds</summary>\n'
            "&gt; It is &quot;gravity&quot;\n</details>\nThe moon and the sun.",
            "model": "llama3.2:3b",
            "timestamp": 1700000001,
        },
    }
    whole = {"title": "Tides", "history": {"messages": messages, "currentId": "3"}, "params": {"system": "Be brief."}}
    stored = {"id": "c", "user_id": "u", "title": "Tides", "updated_at": 1700000100, "created_at": 1700000000}
    return {**stored, "chat": {**whole, **chat}, "share_id": None, "archived": False, "pinned": True, "meta": {}}


def lm_studio() -> Json:
    def text(*texts: str) -> list[Json]:
        return [{"type": "text", "text": each} for each in texts]

    thought = {"type": "contentBlock", "content": text("It is gravity."), "style": {"type": "thinking", "ended": True}}
    said = {"type": "contentBlock", "stepIdentifier": "1-2", "content": text("The moon", " and the sun.")}
    answer = {
        "type": "multiStep",
        "role": "assistant",
        "senderInfo": {"senderName": "qwen2.5-7b"},
        "steps": [thought, said, {"type": "debugInfoBlock", "debugInfo": "Conversation naming technique: 'prompt'"}],
    }
    short = {"type": "multiStep", "role": "assistant", "steps": [{**said, "content": text("The moon.")}]}
    question = {"type": "singleStep", "role": "user", "content": text("Why tides?")}
    return {
        "name": "Tides",
        "pinned": False,
        "createdAt": 1700000000250,
        "preset": "",
        "tokenCount": 42,
        "systemPrompt": "Be brief.",
        "messages": [
            {"versions": [question], "currentlySelected": 0},
            {"versions": [short, answer], "currentlySelected": 1},
        ],
        "usePerChatPredictionConfig": True,
        "perChatPredictionConfig": {"fields": []},
    }


THREAD = {
    "id": "jan_1700000000",
    "object": "thread",
    "title": "Tides",
    "assistants": [{"assistant_id": "jan", "model": {"id": "llama3.2-3b"}, "instructions": "Be brief."}],
    "created": 1700000000,
    "updated": 1700000100,
    "metadata": {},
}


def jan_messages() -> str:
    texts = {"user": "Why tides?", "assistant": "The moon and the sun."}
    lines = [
        {
            "id": f"m{number}",
            "object": "thread.message",
            "thread_id": "jan_1700000000",
            "role": role,
            "content": [{"type": "text", "text": {"value": text, "annotations": []}}],
            "status": "ready",
            "created_at": 1700000001000,
            "metadata": {},
        }
        for number, (role, text) in enumerate(texts.items())
    ]
    return "".join(f"{json.dumps(line)}\n" for line in lines)


MESSAGES: list[Json] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": [{"type": "text", "text": "Why tides?"}]},
    {"role": "assistant", "content": "The moon and the sun."},
]

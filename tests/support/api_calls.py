"""What clients of every API ask for, and how the text of an answer is read, whole or from its stream."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from support.ggufs import ModelRecipe
from support.vocabularies import END_OF_TEXT, TURN_END, TURN_START, BpeVocab

GAP_MARKS = ("<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>")
RECIPE = ModelRecipe(vocab=BpeVocab(control=(END_OF_TEXT, TURN_START, TURN_END, *GAP_MARKS)))
"""Of a model that fills gaps, too."""
_WORDS = ["sea", "tide", "hello", "world", "model", "token", "draft", "write", "look", "number"]

Json = dict[str, Any]


@dataclass(frozen=True)
class Call:
    path: str
    body: Json | None
    """None: it is only looked at."""
    text: Callable[[Json], str]
    """Of an answer that came whole."""
    piece: Callable[[Json], str] | None = None
    """Of one event of a stream; None: there is none."""
    is_end: Callable[[Json], bool] = lambda _: False
    """That event is the last one of a whole stream."""
    status: int = 200

    @property
    def streams(self) -> bool:
        return self.body is not None and bool(self.body.get("stream"))

    def whole(self) -> "Call":
        return self if self.body is None or self.piece is None else replace(self, body=self.body | {"stream": False})

    def read(self, content: bytes) -> str:
        if not self.streams:
            return self.text(json.loads(content))
        assert self.piece is not None
        events = list(_events(content))
        assert self.is_end(events[-1]) or content.endswith(b"data: [DONE]\n\n"), events[-1:]
        return "".join(map(self.piece, events))


def random_call(random: Random) -> Call:
    return random.choice(_MAKERS)(random)


def chat_call(random: Random) -> Call:
    return Call(
        "/v1/chat/completions",
        {"messages": _messages(random), "max_tokens": _length(random), **_sampling(random), **_streamed(random)},
        lambda reply: str(reply["choices"][0]["message"]["content"]),
        lambda event: event["choices"][0]["delta"].get("content") or "",
    )


def _completion(random: Random) -> Call:
    return Call(
        "/v1/completions",
        {"prompt": _prompt(random), "max_tokens": _length(random), **_sampling(random), **_streamed(random)},
        lambda reply: str(reply["choices"][0]["text"]),
        lambda event: str(event["choices"][0]["text"]),
    )


def _response(random: Random) -> Call:
    return Call(
        "/v1/responses",
        {"input": _prompt(random), "max_output_tokens": _length(random), **_sampling(random), **_streamed(random)},
        lambda reply: "".join(part["text"] for item in reply["output"] for part in item["content"]),
        lambda event: event["delta"] if event["type"] == "response.output_text.delta" else "",
        lambda event: event["type"] in ("response.completed", "response.incomplete"),
    )


def _message(random: Random) -> Call:
    return Call(
        "/v1/messages",
        {"messages": _messages(random), "max_tokens": _length(random), **_sampling(random), **_streamed(random)},
        lambda reply: "".join(block["text"] for block in reply["content"]),
        lambda event: event["delta"].get("text", "") if event["type"] == "content_block_delta" else "",
        lambda event: event["type"] == "message_stop",
    )


def _llama(random: Random) -> Call:
    asked = {"prompt": _prompt(random), "n_predict": _length(random), **_sampling(random), **_streamed(random)}
    return Call("/completion", asked, _content, _content, lambda event: bool(event["stop"]))


def _infill(random: Random) -> Call:
    gap = {"input_prefix": _prompt(random), "input_suffix": _prompt(random), "input_extra": [{"text": _prompt(random)}]}
    asked = {**gap, "n_predict": _length(random), **_sampling(random), **_streamed(random)}
    return Call("/infill", asked, _content, _content, lambda event: bool(event["stop"]))


def _ollama_chat(random: Random) -> Call:
    def said(reply: Json) -> str:
        return str(reply["message"]["content"])

    asked = {"messages": _messages(random), **_ollama(random)}
    return Call("/api/chat", asked, said, said, lambda event: bool(event["done"]))


def _ollama_prompt(random: Random) -> Call:
    def said(reply: Json) -> str:
        return str(reply["response"])

    asked = {"prompt": _prompt(random), **_ollama(random)}
    return Call("/api/generate", asked, said, said, lambda event: bool(event["done"]))


def _lookup(random: Random) -> Call:
    text = _prompt(random)
    paths: dict[str, Json | None] = {
        "/tokenize": {"content": text, "with_pieces": True},
        "/detokenize": {"tokens": [random.randrange(1000) for _ in range(20)]},
        "/apply-template": {"messages": _messages(random)},
        "/v1/messages/count_tokens": {"messages": _messages(random)},
        "/api/show": {},
        "/props": None,
    }
    path = random.choice(list(paths))
    return Call(path, paths[path], lambda reply: json.dumps(reply, sort_keys=True))


def _refused(random: Random) -> Call:
    paths: dict[str, tuple[Json, int]] = {
        "/v1/embeddings": ({"input": _prompt(random)}, 501),
        "/v1/rerank": ({"query": "x", "documents": [_prompt(random)]}, 501),
        "/api/embed": ({"input": _prompt(random)}, 501),
        "/v1/chat/completions": ({"messages": []}, 400),
        "/v1/completions": ({"prompt": "x " * 50_000}, 400),
        "/nowhere": ({}, 404),
    }
    path = random.choice(list(paths))
    body, status = paths[path]
    return Call(path, body, lambda reply: "", status=status)


_MAKERS = [
    *[chat_call] * 2,
    *(_completion, _response, _message, _llama, _infill, _ollama_chat, _ollama_prompt),
    *(_lookup, _lookup, _refused),
]


def _content(reply: Json) -> str:
    return str(reply["content"])


def _events(content: bytes) -> Iterator[Json]:
    for line in content.decode().splitlines():
        data = line.removeprefix("data: ")
        if data.startswith("{"):
            yield json.loads(data)


def _messages(random: Random) -> list[Json]:
    return [{"role": "user", "content": _prompt(random)}]


def _prompt(random: Random) -> str:
    return " ".join(random.choices(_WORDS, k=random.randint(1, 60)))


def _length(random: Random) -> int:
    return random.randint(1, 60)


def _sampling(random: Random) -> Json:
    return {"temperature": random.choice([0, 0.7, 1.3]), "seed": random.randint(0, 1000)}


def _streamed(random: Random) -> Json:
    return {"stream": random.random() < 0.7}


def _ollama(random: Random) -> Json:
    return {"options": {**_sampling(random), "num_predict": _length(random)}, **_streamed(random)}

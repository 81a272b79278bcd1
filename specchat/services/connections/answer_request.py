"""Writes a task as a request of OpenAI's API, in the words of the engine that is to answer it."""

import json
from collections.abc import Mapping, Sequence

from specchat.domain.completions import CompletionTask, InfillPrompt
from specchat.domain.connections import Capability
from specchat.domain.engine import AnswerTask
from specchat.domain.errors import IncapableError, SettingError
from specchat.domain.types import Message, Role, SamplingParams
from specchat.services.answers.reasoning_switch import reasoning_variables, why_no_reasoning
from specchat.services.connections.chat_messages import plain_messages
from specchat.services.connections.dialects.openai import OpenAiDialect
from specchat.services.connections.engine_api import JsonObject

_SEEDS = 1 << 31


def build_chat_body(dialect: OpenAiDialect, model: str, messages: Sequence[Message], task: AnswerTask) -> JsonObject:
    """`messages`: those that there is room for; so are the tools."""
    body = _common(dialect, model, task)
    if task.begun:
        _require(dialect, Capability.CONTINUE)
        messages = [*messages, Message(Role.ASSISTANT, task.begun)]
        body |= dialect.continuing
    body["messages"] = plain_messages(messages, thoughts=dialect.reads_thoughts)
    if isinstance(task, CompletionTask):
        return body | _beyond_chat(dialect, task)
    variables = reasoning_variables(task.reasoning)
    if variables and why_no_reasoning(task.reasoning, dialect.lacks) is None:
        body["chat_template_kwargs"] = dict(variables)
    if task.tools:
        body["tools"] = list(task.tools)
    if task.probabilities and (dialect.scores_with_tools or not task.tools):
        body["logprobs"] = True
    return body


def build_text_body(dialect: OpenAiDialect, model: str, task: CompletionTask) -> JsonObject:
    if isinstance(task.prompt, InfillPrompt):
        raise IncapableError(
            "specchat doesn't support infill with {engine}.", "Load a model on this computer.", engine=dialect.name
        )
    if not isinstance(task.prompt, str) and not dialect.knows_tokens:
        raise SettingError(
            "{engine} doesn't accept token IDs as a prompt.", "Send the prompt as text.", engine=dialect.name
        )
    prompt = task.prompt if isinstance(task.prompt, str) else list(task.prompt)
    body = _common(dialect, model, task) | _answer_form(dialect, task) | {"prompt": prompt}
    return body if task.top_logprobs is None else body | {"logprobs": task.top_logprobs}


def _common(dialect: OpenAiDialect, model: str, task: AnswerTask) -> dict[str, object]:
    body: dict[str, object] = {
        "model": model,
        "stream": True,
        "stream_options": {"include_usage": True},
        **_sampling(dialect, task.sampling),
        **dialect.extra,
    }
    if task.max_tokens is not None:
        body["max_tokens"] = task.max_tokens
    if task.stop:
        body["stop"] = list(task.stop)
    if task.ignore_eos:
        _require(dialect, Capability.IGNORE_EOS)
        body["ignore_eos"] = True
    return body


def _sampling(dialect: OpenAiDialect, params: SamplingParams) -> dict[str, object]:
    values = {name: getattr(params, field) for field, name in dialect.sampling.items()}
    seed = values.pop("seed")
    return values if seed < 0 else values | {"seed": seed % _SEEDS}


def _beyond_chat(dialect: OpenAiDialect, task: CompletionTask) -> dict[str, object]:
    fields = _answer_form(dialect, task)
    if task.top_logprobs is not None:
        fields |= {"logprobs": True, "top_logprobs": task.top_logprobs}
    if task.tools:
        fields |= {"tools": list(task.tools), "tool_choice": _tool_choice(task.tool_choice)}
        if task.one_call:
            fields["parallel_tool_calls"] = False
    if task.template_variables and Capability.REASONING not in dialect.lacks:
        fields["chat_template_kwargs"] = dict(task.template_variables)
    return fields


def _answer_form(dialect: OpenAiDialect, task: CompletionTask) -> dict[str, object]:
    if task.grammar:
        _require(dialect, Capability.GRAMMAR)
        return {"grammar": task.grammar}
    if task.json_schema == "{}":
        return {"response_format": {"type": "json_object"}}
    if task.json_schema:
        form = {"name": "answer", "schema": json.loads(task.json_schema)}
        return {"response_format": {"type": "json_schema", "json_schema": form}}
    return {}


def _tool_choice(choice: str) -> str | Mapping[str, object]:
    named = choice not in ("auto", "none", "required")
    return {"type": "function", "function": {"name": choice}} if named else choice


def _require(dialect: OpenAiDialect, capability: Capability) -> None:
    if capability not in dialect.lacks:
        return
    match capability:
        case Capability.CONTINUE:
            raise SettingError("{engine} can't continue an answer.", "Regenerate it instead.", engine=dialect.name)
        case Capability.IGNORE_EOS:
            raise SettingError(
                "{engine} can't ignore end-of-generation tokens.", "Omit --ignore-eos.", engine=dialect.name
            )
    raise SettingError("{engine} doesn't support grammars.", "Use a JSON schema instead.", engine=dialect.name)

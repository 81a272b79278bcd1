"""Generates answers to API requests, including tool calls and grammars."""

import json
from collections.abc import Generator, Sequence
from contextlib import closing

from specchat.backends.grammar.gbnf import gbnf_to_lark
from specchat.backends.grammar.json_schema import json_rule, read_schema
from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask, InfillPrompt
from specchat.domain.errors import ContextFullError, SettingError, UserError
from specchat.domain.translatable_text import group_digits
from specchat.domain.types import GenerationEvent, GenerationRequest, Message, Tool
from specchat.engine.tokens import BETWEEN
from specchat.services.answers.answer_reader import AnswerReader
from specchat.services.answers.call_format import CallFormat
from specchat.services.answers.call_reader import CallReader
from specchat.services.answers.outlines import call_outlines, json_outline
from specchat.services.answers.thought_reader import ThoughtReader, thought_markers
from specchat.services.answers.tool_calls import argument_schemas, calls_rule, select_tools, tool_name
from specchat.services.generation.early_end import generate_until_end
from specchat.services.generation.infill import build_gap_prompt
from specchat.services.generation.loaded_pair import LoadedPair

_MOST_PER_TOKEN = 128
"""Characters per token of the context. A longer prompt is certainly too long and is not processed."""


def generate_completion(
    pair: LoadedPair, task: CompletionTask, cancel: CancelToken
) -> Generator[GenerationEvent, None, None]:
    """Generates one answer. It neither guesses from the answers that the window remembers, nor is it remembered itself,
    so that the speed of an answer reveals nothing about other users.
    """
    form = find_call_format(pair, task)
    request = build_completion_request(pair, task, form)
    cancel.check()  # long prompts and large grammars take time
    reader = _reader(pair, task, form, is_free=request.constraint is None)

    def generate(cancel: CancelToken) -> Generator[GenerationEvent, None, None]:
        return pair.generate(request, cancel, remembers=False)

    with closing(generate_until_end(task, generate, cancel, pair.usual_pass_s)) as events:
        for event in events:
            yield reader.read(event)


def build_completion_request(
    pair: LoadedPair, task: CompletionTask, form: CallFormat | None = None
) -> GenerationRequest:
    """`form`: how the model calls the task's tools. None: the prompt contains no tools."""
    tools = task.tools if form is not None else ()
    _require_room(pair, task, tools)
    prompt, text_before, stop = _prompt(pair, task, tools)
    grammar = _grammar(task, form)
    markers = pair.find_marker_tokens(_marker_texts(pair, task, form, is_free=not grammar))
    return GenerationRequest(
        prompt=prompt,
        sampling=task.sampling,
        max_tokens=task.max_tokens,
        stop=(*task.stop, *stop),
        ignore_eos=task.ignore_eos,
        top_logprobs=task.top_logprobs,
        constraint=pair.create_constraint(grammar, markers) if grammar else None,
        markers=markers,
        logit_bias=_known_bias(pair, task),
        text_before=text_before or _with_outlines(pair, task, form, prompt),
        narrows_gap=task.narrows_gap,
    )


def build_prompt_tokens(pair: LoadedPair, task: CompletionTask, form: CallFormat | None) -> tuple[int, ...]:
    """Builds only the prompt, without the answer's grammar, which takes time to compile."""
    tools = task.tools if form is not None else ()
    _require_room(pair, task, tools)
    prompt, _, _ = _prompt(pair, task, tools)
    return prompt


def _marker_texts(pair: LoadedPair, task: CompletionTask, form: CallFormat | None, *, is_free: bool) -> list[str]:
    """Returns the texts of control tokens that the answer has to contain as text."""
    texts = pair.find_control_texts(form.texts) if form is not None else []
    return texts + thought_markers(pair.template.source) if task.thoughts_apart and is_free else texts


def _reader(pair: LoadedPair, task: CompletionTask, form: CallFormat | None, *, is_free: bool) -> AnswerReader:
    """Creates the reader of the answer. An answer with a grammar can't contain reasoning."""
    thoughts = ThoughtReader(written_prompt(pair, task, form)) if task.thoughts_apart and is_free else None
    if form is None:
        return AnswerReader(thoughts, None)
    names, schemas = [tool_name(tool) for tool in task.tools], argument_schemas(task.tools)
    only_calls = task.tool_choice != "auto"
    calls = CallReader(form, names, several=not task.one_call, schemas=schemas, only_calls=only_calls)
    return AnswerReader(thoughts, calls, hides_cut_calls=True)


def written_prompt(pair: LoadedPair, task: CompletionTask, form: CallFormat | None) -> str:
    """Returns the prompt of a conversation. Repeated calls are cheap, because the template caches it."""
    if not task.messages:
        return task.prompt if isinstance(task.prompt, str) else ""
    tools = list(task.tools) if form is not None else None
    return pair.prompts.render(task.messages, tools, task.template_variables) + task.begun


def find_call_format(pair: LoadedPair, task: CompletionTask) -> CallFormat | None:
    """Returns None if no tool may be called. Raises a SettingError if the model's template doesn't support tools."""
    if not task.tools or task.tool_choice == "none":
        return None
    return pair.call_format


def calls_tools(pair: LoadedPair) -> bool:
    try:
        return pair.call_format is not None
    except UserError:
        return False


def _known_bias(pair: LoadedPair, task: CompletionTask) -> tuple[tuple[int, float], ...]:
    if any(token >= pair.target.n_vocab for token, _ in task.logit_bias):
        raise SettingError(
            "logit_bias names a token that is not in the model's vocabulary.",
            "The vocabulary has {n} tokens, numbered from 0.",
            n=group_digits(pair.target.n_vocab),
        )
    return task.logit_bias


def _require_room(pair: LoadedPair, task: CompletionTask, tools: Sequence[Tool]) -> None:
    """Checks the size before processing the prompt, so that one that is far too long doesn't hold up other requests.
    The text around a gap doesn't count, because only a part of it is read.
    """
    n_ctx = pair.target.n_ctx
    if len(task.messages) > n_ctx:
        raise ContextFullError(
            "The chat has {n} messages, but the context holds only {all} tokens, including the answer.",
            "Omit the oldest messages, or use a larger context.",
            n=group_digits(len(task.messages)),
            all=group_digits(n_ctx),
        )
    n_media = sum(len(message.media) for message in task.messages)
    if n_media > n_ctx:
        raise ContextFullError(
            "The chat has {n} pictures and recordings, but the context holds only {all} tokens, including the answer.",
            "Omit the oldest messages, or use a larger context.",
            n=group_digits(n_media),
            all=group_digits(n_ctx),
        )
    whole = task.prompt.begun if isinstance(task.prompt, InfillPrompt) else task.prompt
    size = len(whole) + len(task.begun) + sum(map(_size, task.messages)) + len(json.dumps(tools))
    if size > _MOST_PER_TOKEN * n_ctx:
        raise ContextFullError(
            "The prompt is far longer than the context, which holds {all} tokens, including the answer.",
            "Shorten the prompt, or use a larger context.",
            all=group_digits(n_ctx),
        )


def _size(message: Message) -> int:
    return len(message.content) + len(message.thought) + sum(len(call.arguments) for call in message.tool_calls)


def _prompt(
    pair: LoadedPair, task: CompletionTask, tools: Sequence[Tool]
) -> tuple[tuple[int, ...], tuple[int, ...] | None, tuple[str, ...]]:
    """Returns the prompt's tokens, the tokens in the order of the text if that differs, and the stop strings."""
    if isinstance(task.prompt, str):
        return pair.prompts.tokenize(task.prompt), None, ()
    if isinstance(task.prompt, InfillPrompt):
        gap = build_gap_prompt(pair, task.prompt, task.max_tokens)
        return gap.tokens, gap.text, ()
    if task.messages:
        prompt = pair.prompts.build(task.messages, list(tools) or None, task.template_variables)
        return (*prompt, *pair.prompts.tokenize_text(task.begun)), None, pair.template.stop
    tokens = tuple(part for part in task.prompt if isinstance(part, int))
    if any(not 0 <= token < pair.target.n_vocab for token in tokens):
        raise SettingError(
            "The prompt contains a token that is not in the model's vocabulary.",
            "The vocabulary has {n} tokens, numbered from 0.",
            n=group_digits(pair.target.n_vocab),
        )
    return tokens, None, ()


def _with_outlines(
    pair: LoadedPair, task: CompletionTask, form: CallFormat | None, prompt: Sequence[int]
) -> tuple[int, ...] | None:
    """Puts outlines of the expected calls and JSON before the prompt, to guess keys and syntax from."""
    parts = call_outlines(form, task.tools) if form is not None else []
    if task.json_schema:
        parts += json_outline(read_schema(task.json_schema))
    if not parts:
        return None
    written = [token for part in parts for token in (*pair.prompts.tokenize_form(part), BETWEEN)]
    return (*written, *prompt)


def _grammar(task: CompletionTask, form: CallFormat | None) -> str:
    """Returns the grammar of the answer. Empty: any answer is allowed."""
    if form is not None and task.tool_choice != "auto":
        several = task.tool_choice == "required" and not task.one_call
        return f"start: {calls_rule(form, select_tools(task.tools, task.tool_choice), several=several)}"
    if not task.json_schema:
        return gbnf_to_lark(task.grammar) if task.grammar else ""
    rules = [json_rule(read_schema(task.json_schema), strict=True)]
    if form is not None:
        rules.append(calls_rule(form, task.tools, several=not task.one_call))
    return f"start: {' | '.join(rules)}"

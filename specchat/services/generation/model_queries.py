"""Answers what can be said of a loaded model without generating anything."""

from specchat.domain.completions import (
    AboutQuery,
    CompletionTask,
    DetokenizeQuery,
    ModelDescription,
    ModelQuery,
    PromptQuery,
    TextToken,
    TokenizeQuery,
    WrittenPrompt,
)
from specchat.domain.errors import SettingError
from specchat.domain.translatable_text import group_digits
from specchat.services.generation.completion import (
    build_completion_request,
    calls_tools,
    find_call_format,
    written_prompt,
)
from specchat.services.generation.loaded_pair import LoadedPair


def answer_query(pair: LoadedPair, query: ModelQuery) -> object:
    match query:
        case TokenizeQuery():
            return _tokens(pair, query)
        case DetokenizeQuery(tokens):
            return _text(pair, tokens)
        case PromptQuery(task):
            return _prompt(pair, task)
        case AboutQuery():
            return _description(pair)


def _tokens(pair: LoadedPair, query: TokenizeQuery) -> tuple[TextToken, ...]:
    vocabulary = pair.target.vocabulary
    tokens = vocabulary.tokenize(query.text, add_special=query.add_special, parse_special=query.parse_special)
    return tuple(TextToken(token, vocabulary.piece(token) or vocabulary.text(token).encode()) for token in tokens)


def _text(pair: LoadedPair, tokens: tuple[int, ...]) -> str:
    vocabulary = pair.target.vocabulary
    if any(not 0 <= token < vocabulary.size for token in tokens):
        raise SettingError(
            "The list contains a token that is not in the model's vocabulary.",
            "The vocabulary has {n} tokens, numbered from 0.",
            n=group_digits(vocabulary.size),
        )
    pieces = (vocabulary.piece(token) or vocabulary.text(token).encode() for token in tokens)
    return b"".join(pieces).decode("utf-8", "replace")


def _prompt(pair: LoadedPair, task: CompletionTask) -> WrittenPrompt:
    form = find_call_format(pair, task)
    request = build_completion_request(pair, task, form)
    return WrittenPrompt(written_prompt(pair, task, form), len(request.prompt))


def _description(pair: LoadedPair) -> ModelDescription:
    target, vocabulary = pair.target, pair.target.vocabulary
    weights = target.weights
    return ModelDescription(
        path=str(weights.path),
        template=pair.template.source,
        bos=vocabulary.bos_text(),
        eos=vocabulary.eos_text(),
        n_vocab=target.n_vocab,
        n_ctx=target.n_ctx,
        n_ctx_trained=target.n_ctx_trained,
        n_embd=weights.n_embd,
        n_parameters=weights.n_parameters,
        size=weights.size,
        architecture=weights.kind.partition(" ")[0],
        kind=weights.kind,
        fills_gaps=vocabulary.gap_tokens is not None,
        calls_tools=calls_tools(pair),
    )

"""Answers queries about a loaded model that need no generation."""

from specchat.backends.vocabulary import Vocabulary
from specchat.backends.weights import Weights
from specchat.domain.completions import (
    AboutQuery,
    CompletionTask,
    DetokenizeQuery,
    Lookup,
    ModelDescription,
    PromptQuery,
    TokenizedText,
    TokenizeQuery,
    WrittenPrompt,
)
from specchat.domain.embeddings import Purpose
from specchat.domain.errors import SettingError
from specchat.domain.translatable_text import group_digits
from specchat.services.generation.completion import (
    build_prompt_tokens,
    calls_tools,
    find_call_format,
    written_prompt,
)
from specchat.services.generation.loaded_pair import LoadedPair


def answer_query(pair: LoadedPair, query: Lookup) -> object:
    match query:
        case TokenizeQuery():
            return tokenize(pair.target.vocabulary, query)
        case DetokenizeQuery(tokens):
            return detokenize(pair.target.vocabulary, tokens)
        case PromptQuery(task):
            return _prompt(pair, task)
        case AboutQuery():
            return _description(pair)


def tokenize(vocabulary: Vocabulary, query: TokenizeQuery) -> TokenizedText:
    tokens = vocabulary.tokenize(query.text, add_special=query.add_special, parse_special=query.parse_special)
    shown = set(tokens) if query.with_pieces else ()
    return TokenizedText(tuple(tokens), {token: _piece(vocabulary, token) for token in shown})


def detokenize(vocabulary: Vocabulary, tokens: tuple[int, ...]) -> str:
    if any(not 0 <= token < vocabulary.size for token in tokens):
        raise SettingError(
            "The list contains a token that is not in the model's vocabulary.",
            "The vocabulary has {n} tokens, numbered from 0.",
            n=group_digits(vocabulary.size),
        )
    return b"".join(_piece(vocabulary, token) for token in tokens).decode("utf-8", "replace")


def _piece(vocabulary: Vocabulary, token: int) -> bytes:
    return vocabulary.piece(token) or vocabulary.text(token).encode()


def _prompt(pair: LoadedPair, task: CompletionTask) -> WrittenPrompt:
    form = find_call_format(pair, task)
    return WrittenPrompt(written_prompt(pair, task, form), len(build_prompt_tokens(pair, task, form)))


def _description(pair: LoadedPair) -> ModelDescription:
    return describe_model(
        pair.target.weights,
        n_ctx=pair.target.n_ctx,
        template=pair.template.source,
        fills_gaps=pair.target.vocabulary.gap_tokens is not None,
        calls_tools=calls_tools(pair),
        sees_pictures=pair.prompts.sees_pictures,
        hears_recordings=pair.prompts.hears_recordings,
    )


def describe_model(
    weights: Weights,
    *,
    n_ctx: int,
    template: str = "",
    fills_gaps: bool = False,
    calls_tools: bool = False,
    purpose: Purpose = Purpose.TEXT,
    sees_pictures: bool = False,
    hears_recordings: bool = False,
) -> ModelDescription:
    return ModelDescription(
        path=str(weights.path),
        template=template,
        bos=weights.vocabulary.bos_text(),
        eos=weights.vocabulary.eos_text(),
        n_vocab=weights.vocabulary.size,
        n_ctx=n_ctx,
        n_ctx_trained=weights.n_ctx_train,
        n_embd=weights.n_embd,
        n_parameters=weights.n_parameters,
        size=weights.size,
        architecture=weights.kind.partition(" ")[0],
        kind=weights.kind,
        fills_gaps=fills_gaps,
        calls_tools=calls_tools,
        purpose=purpose,
        sees_pictures=sees_pictures,
        hears_recordings=hears_recordings,
    )

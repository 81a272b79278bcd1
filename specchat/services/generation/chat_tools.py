"""The tools of a chat for one model: which of them fit into its context, and how it calls them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from specchat.domain.errors import UserError
from specchat.domain.types import GenerationRequest, Message, Role, Tool
from specchat.engine.tokens import BETWEEN
from specchat.services.answers.answer_reader import AnswerReader
from specchat.services.answers.call_format import CallFormat
from specchat.services.answers.call_reader import CallReader
from specchat.services.answers.outlines import call_outlines
from specchat.services.answers.tool_calls import argument_schemas, tool_name
from specchat.services.chat.tool_fitting import fit_tools
from specchat.services.generation.loaded_pair import LoadedPair


@dataclass(frozen=True, slots=True)
class ChatTools:
    tools: tuple[Tool, ...] = ()
    form: CallFormat | None = None
    """None: there are none, or the model can't call any."""
    n_left_out: int = 0

    def prepare(self, pair: LoadedPair, request: GenerationRequest) -> GenerationRequest:
        """So that calls can be seen in the answer, and are guessed."""
        if self.form is None:
            return request
        outlines = [
            token
            for part in call_outlines(self.form, self.tools)
            for token in (*pair.prompts.tokenize_form(part), BETWEEN)
        ]
        return replace(
            request,
            markers=pair.find_marker_tokens(pair.find_control_texts(self.form.texts)),
            text_before=(*outlines, *request.prompt) if outlines else None,
        )

    def reader(self) -> AnswerReader:
        if self.form is None:
            return AnswerReader(None, None)
        names, schemas = list(map(tool_name, self.tools)), argument_schemas(self.tools)
        calls = CallReader(self.form, names, several=True, schemas=schemas, reads_unknown=True)
        return AnswerReader(None, calls)


def fit_chat_tools(pair: LoadedPair, tools: Sequence[Tool], messages: Sequence[Message] = ()) -> ChatTools:
    """`messages`: a model that has called tools before may do so again, even if none is left."""
    has_called = any(message.tool_calls for message in messages)
    form = _known_format(pair) if tools or has_called else None
    if form is None:
        return ChatTools()
    fitted = fit_tools(tools, pair.prompts.count_tool, pair.target.n_ctx)
    return ChatTools(fitted.tools, form if fitted.tools or has_called else None, fitted.n_left_out)


def _known_format(pair: LoadedPair) -> CallFormat | None:
    try:
        return pair.call_format
    except UserError:
        return None


def readable_messages(pair: LoadedPair, messages: Sequence[Message]) -> Sequence[Message]:
    """With earlier calls as a part of the answers, for models that know no tools."""
    if all(message.role is not Role.TOOL for message in messages) or _known_format(pair) is not None:
        return messages
    return list(map(_flat, messages))


def _flat(message: Message) -> Message:
    if message.role is Role.TOOL:
        return Message(Role.ASSISTANT, f"Result of {message.name}:\n{message.content}")
    return replace(message, tool_calls=()) if message.tool_calls else message

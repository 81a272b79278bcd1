"""The endpoints that answer: each reads a request in one API's form, and writes the answer in it."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from specchat.server.answer_response import AnswerResponse
from specchat.server.anthropic_format import AnthropicFormat
from specchat.server.anthropic_request import parse_anthropic_request
from specchat.server.client_request import client_name, read_body
from specchat.server.completion_request import ApiRequest, parse_chat_request, parse_text_request
from specchat.server.dispatcher import RequestDispatcher
from specchat.server.llama_format import LlamaFormat
from specchat.server.llama_request import LlamaRequest, parse_infill_request, parse_llama_request
from specchat.server.ollama_format import OllamaFormat
from specchat.server.ollama_request import is_unloading, parse_ollama_chat, parse_ollama_prompt
from specchat.server.openai_format import OpenAiFormat
from specchat.server.query_response import QueryResponse, load_only
from specchat.server.request_documents import RequestDocuments
from specchat.server.request_fields import RequestFields
from specchat.server.response_formatters import ChatFormatter, CompletionFormatter
from specchat.server.responses_format import ResponsesFormat
from specchat.server.responses_request import parse_responses_request, repeated_fields


class AnswerEndpoints:
    def __init__(self, asking: RequestDispatcher, documents: RequestDocuments) -> None:
        self._asking = asking
        self._documents = documents

    async def chat_completions(self, request: Request) -> AnswerResponse:
        asked = parse_chat_request(await self._documents.read_body(request), client_name(request))
        form = ChatFormatter(logprobs=asked.task.top_logprobs is not None)
        return AnswerResponse(self._asking, asked, OpenAiFormat(form, include_usage=asked.include_usage, n=asked.n))

    async def completions(self, request: Request) -> AnswerResponse:
        asked = parse_text_request(await read_body(request), client_name(request))
        form = CompletionFormatter(logprobs=asked.task.top_logprobs is not None)
        shape = OpenAiFormat(form, include_usage=asked.include_usage, n=asked.n, echoed=asked.echoed)
        return AnswerResponse(self._asking, asked, shape)

    async def responses(self, request: Request) -> AnswerResponse:
        body = await self._documents.read_body(request)
        asked = parse_responses_request(body, client_name(request))
        return AnswerResponse(self._asking, asked, ResponsesFormat(repeated_fields(body)))

    async def messages(self, request: Request) -> AnswerResponse:
        asked = parse_anthropic_request(await self._documents.read_body(request), client_name(request))
        return AnswerResponse(self._asking, asked, AnthropicFormat(asked.task.stop))

    async def llama_completion(self, request: Request) -> AnswerResponse:
        return self._as_llama(parse_llama_request(await read_body(request), client_name(request)))

    async def infill(self, request: Request) -> AnswerResponse:
        return self._as_llama(parse_infill_request(await read_body(request), client_name(request)))

    async def ollama_chat(self, request: Request) -> AnswerResponse | QueryResponse | Response:
        body = await read_body(request)
        asked = parse_ollama_chat(body, client_name(request))
        return self._as_ollama(body, asked, OllamaFormat(body.model, is_chat=True))

    async def ollama_prompt(self, request: Request) -> AnswerResponse | QueryResponse | Response:
        body = await read_body(request)
        asked = parse_ollama_prompt(body, client_name(request))
        return self._as_ollama(body, asked, OllamaFormat(body.model, is_chat=False))

    def _as_llama(self, asked: LlamaRequest) -> AnswerResponse:
        form = LlamaFormat(asked.request.tasks, asked.fields, return_tokens=asked.return_tokens)
        return AnswerResponse(self._asking, asked.request, form)

    def _as_ollama(
        self, body: RequestFields, asked: ApiRequest | None, form: OllamaFormat
    ) -> AnswerResponse | QueryResponse | Response:
        if asked is not None:
            return AnswerResponse(self._asking, asked, form)
        if is_unloading(body) and (catalog := self._asking.catalog) is not None:
            catalog.unload(body.model)
            return JSONResponse(form.nothing(body.model, "unload"))
        return load_only(self._asking, lambda pair: form.nothing(pair.target, "load"), body.model)

"""The response to what is asked of the loaded model without an answer of its own."""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.completions import ModelQuery, TokenizeQuery
from specchat.domain.errors import Cancelled
from specchat.server.answer_response import to_json

if TYPE_CHECKING:
    from specchat.server.dispatcher import RequestDispatcher


class QueryResponse:
    """Used like a Starlette response; the query waits for its turn in it."""

    def __init__(
        self,
        asking: "RequestDispatcher",
        query: ModelQuery,
        form: Callable[[Any, PairInfo], object],
        model: str = "",
    ) -> None:
        """`form`: makes the reply of the query's result and the pair that gave it. `model`: as the client calls it."""
        self._asking = asking
        self._query = query
        self._form = form
        self._model = model
        self.load_s = 0.0
        """How long the query waited for its model to load; known when the reply is made."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with suppress(Cancelled):
            value, asked = await self._asking.ask(self._query, receive, self._model)
            self.load_s = asked.load_s
            await Response(to_json(self._form(value, asked.pair)), media_type="application/json")(scope, receive, send)


def load_only(asking: "RequestDispatcher", form: Callable[[PairInfo], object], model: str) -> QueryResponse:
    """What Ollama's clients want where they ask nothing: any query loads the model."""
    return QueryResponse(asking, TokenizeQuery(""), lambda _, pair: form(pair), model)

"""The endpoints of a server that loads models by their names, as llama-server's router has them."""

import asyncio
import time
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from specchat import __version__
from specchat.domain.completions import AboutQuery, ModelCatalog, ModelStatus, OfferedModel
from specchat.server.client_request import read_body
from specchat.server.dispatcher import RequestDispatcher
from specchat.server.errors import BadRequestError, to_api_error
from specchat.server.model_endpoints import ModelEndpoints, modalities, ollama_model, ollama_shown
from specchat.server.query_response import QueryResponse


class CatalogEndpoints:
    def __init__(self, asking: RequestDispatcher, catalog: ModelCatalog, models: ModelEndpoints) -> None:
        self._asking = asking
        self._catalog = catalog
        self._models = models
        self._started = int(time.time())
        self.asked = {"/models/load": self.load, "/models/unload": self.unload, "/api/show": self.ollama_show}
        self.looked_at = {
            **dict.fromkeys(("/health", "/v1/health"), self.health),
            "/props": self.props,
            "/slots": self.slots,
            "/models": self.models,
            "/v1/models": self.models,
            "/v1/models/{name:path}": self.model,
            "/api/tags": self.ollama_tags,
            "/api/ps": self.ollama_ps,
        }

    async def health(self, _: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def models(self, _: Request) -> Response:
        await asyncio.to_thread(self._catalog.refresh)
        return JSONResponse({"object": "list", "data": list(map(self._about, self._catalog.models()))})

    async def model(self, request: Request) -> Response:
        name = request.path_params["name"]
        await self._asking.look_for(name)
        return JSONResponse(self._about(self._catalog.find(name)))

    async def load(self, request: Request) -> Response:
        """Answered at once: `/models` tells when it is loaded."""
        name = (await read_body(request)).required_text("model")
        await self._asking.look_for(name)
        if not self._catalog.load(name):
            raise BadRequestError("The model is already loaded or loading.", "model", "model_loaded")
        return JSONResponse({"success": True})

    async def unload(self, request: Request) -> Response:
        name = (await read_body(request)).required_text("model")
        await self._asking.look_for(name)
        if not self._catalog.unload(name):
            raise BadRequestError("The model is not loaded.", "model", "model_not_loaded")
        return JSONResponse({"success": True})

    async def props(self, request: Request) -> Response | QueryResponse:
        """Of the model that is named, or else of the loaded one."""
        if self._asking.n_slots or request.query_params.get("model"):
            return await self._models.props(request)
        return JSONResponse(
            {
                "role": "router",
                "model_alias": "specchat",
                "model_path": "none",
                "default_generation_settings": {"n_ctx": 0},
                "build_info": f"specchat {__version__}",
            }
        )

    async def slots(self, request: Request) -> Response:
        """Of the model that is named, or else of the one that was asked last."""
        if name := request.query_params.get("model"):
            pair = self._catalog.find(name).pair
            return JSONResponse(self._asking.slots.describe(pair) if pair is not None else [])
        return await self._models.slots(request) if self._asking.n_slots else JSONResponse([])

    async def ollama_tags(self, _: Request) -> Response:
        await asyncio.to_thread(self._catalog.refresh)
        return JSONResponse({"models": list(map(self._tag, self._catalog.models()))})

    async def ollama_ps(self, _: Request) -> Response:
        loaded = [(model, model.pair) for model in self._catalog.models() if model.status is ModelStatus.LOADED]
        running = [self._models.running(self._tag(model), pair) for model, pair in loaded if pair is not None]
        return JSONResponse({"models": running})

    async def ollama_show(self, request: Request) -> Response | QueryResponse:
        """By its header where it is not loaded: clients ask this of every model in their lists."""
        name = (await read_body(request)).required_text("model")
        await self._asking.look_for(name)
        model = self._catalog.find(name)
        if model.status is ModelStatus.LOADED:
            return QueryResponse(
                self._asking,
                AboutQuery(),
                lambda about, pair: ollama_shown(about, pair.senses),
                name,
            )
        return JSONResponse(ollama_shown(await asyncio.to_thread(self._catalog.describe, name), model.senses))

    def _tag(self, model: OfferedModel) -> dict[str, object]:
        return ollama_model(model.name, self._started, model.size, model.parameters, model.quantization)

    def _about(self, model: OfferedModel) -> Mapping[str, object]:
        meta: dict[str, object] = {"n_ctx_train": model.n_ctx_trained, "n_params": model.parameters, "size": model.size}
        if pair := model.pair:
            meta |= {"draft": pair.draft, "n_ctx": pair.n_ctx, "drafting": pair.drafting, "exact": pair.exact}
        return {
            "id": model.name,
            "object": "model",
            "created": self._started,
            "owned_by": "specchat",
            "aliases": [],
            "tags": [],
            "status": _status(model),
            "architecture": modalities(model.senses),
            "can_remove": False,
            "meta": meta,
        }


def _status(model: OfferedModel) -> Mapping[str, object]:
    status: dict[str, object] = {"value": str(model.status), "args": []}
    if model.failure is not None:
        status |= {"failed": True, "exit_code": 1, "error": to_api_error(model.failure).error["message"]}
    return status

"""The differences between engines, one file each; `detect_dialect` identifies an engine."""

from specchat.domain.cancel_token import CancelToken
from specchat.services.connections.dialects.llama_server import LlamaServerDialect
from specchat.services.connections.dialects.lm_studio import LmStudioDialect
from specchat.services.connections.dialects.ollama import OllamaDialect
from specchat.services.connections.dialects.openai import OpenAiDialect, Probe
from specchat.services.connections.dialects.sglang import SglangDialect
from specchat.services.connections.dialects.specchat import SpecchatDialect
from specchat.services.connections.dialects.vllm import VllmDialect
from specchat.services.connections.engine_api import EngineApi
from specchat.services.connections.reported_figures import read_objects

DIALECTS: tuple[OpenAiDialect, ...] = (
    SpecchatDialect(),
    LlamaServerDialect(),
    VllmDialect(),
    SglangDialect(),
    OllamaDialect(),
    LmStudioDialect(),
    OpenAiDialect(),
)
"""The dialects in the order in which they are tried."""


def detect_dialect(api: EngineApi, cancel: CancelToken) -> OpenAiDialect:
    """Detects the engine with one request, mostly by the owner of its models."""
    models, server = api.probe(api.address.api("/models"), cancel)
    probe = Probe(read_objects(models.get("data")), server)
    return next(dialect for dialect in DIALECTS if dialect.recognises(probe, api, cancel))

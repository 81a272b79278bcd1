import pytest

from specchat.domain.engine_address import EngineAddress
from specchat.domain.errors import EngineBusyError, EngineLostError, EngineUnreachableError, UserError
from specchat.server.errors import to_api_error
from specchat.services.connections.refusals import refusal_error
from specchat.services.connections.remote_answer import cut_off_error

WHERE = "http://127.0.0.1:8080"


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (EngineUnreachableError("Can't reach {where}.", "Check it.", where=WHERE), 502, "engine_failed"),
        (EngineLostError("The connection was lost.", "Check it."), 502, "engine_failed"),
        (cut_off_error(WHERE, can_continue=False), 502, "engine_failed"),
        (EngineBusyError("The engine is busy.", "Try again."), 503, "engine_busy"),
    ],
)
def test_clients_may_try_again_when_another_engine_fails(error: UserError, status: int, code: str) -> None:
    told = to_api_error(error)
    assert (told.status, told.error["code"], told.error["type"]) == (status, code, "unavailable_error")
    assert told.headers == {"Retry-After": "1"}


@pytest.mark.parametrize(
    ("refused", "status", "code", "kind"),
    [
        (400, 400, None, "invalid_request_error"),
        (422, 400, None, "invalid_request_error"),
        (404, 404, "model_not_found", "invalid_request_error"),
        (401, 502, "engine_failed", "server_error"),
        (302, 502, "engine_failed", "server_error"),
        (500, 502, "engine_failed", "server_error"),
    ],
)
def test_clients_are_not_told_to_repeat_what_would_fail_again(
    refused: int, status: int, code: str | None, kind: str
) -> None:
    reply = {"error": {"message": "top_k is odd"}}
    told = to_api_error(refusal_error(refused, {}, reply, EngineAddress("http", "127.0.0.1", 8080), has_key=True))
    assert (told.status, told.error["code"], told.error["type"]) == (status, code, kind)
    assert told.headers == {}

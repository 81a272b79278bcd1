import pytest

from specchat.domain.errors import EngineBusyError, EngineUnreachableError, RemoteEngineError, UserError
from specchat.server.errors import to_api_error


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (
            EngineUnreachableError("Can't reach {where}.", "Check it.", where="http://127.0.0.1:8080"),
            502,
            "engine_failed",
        ),
        (RemoteEngineError("The connection was lost.", "Check it."), 502, "engine_failed"),
        (EngineBusyError("The engine is busy.", "Try again."), 503, "engine_busy"),
    ],
)
def test_clients_may_try_again_when_another_engine_fails(error: UserError, status: int, code: str) -> None:
    told = to_api_error(error)
    assert (told.status, told.error["code"], told.error["type"]) == (status, code, "unavailable_error")
    assert told.headers == {"Retry-After": "1"}

"""The operations on other engines for commands and the window: save, test, find, and measure."""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from specchat.domain.cancel_token import CancelToken
from specchat.domain.connections import Capability, Connection, EngineReport, GuessTotals, Lacks, ListedModel
from specchat.domain.engine_address import EngineAddress, parse_engine_address
from specchat.domain.errors import Cancelled, RemoteEngineError, UserError
from specchat.domain.http_client import HttpClient
from specchat.services.connections.connection_registry import ConnectionRegistry
from specchat.services.connections.dialects import DIALECTS, detect_dialect
from specchat.services.connections.dialects.openai import OpenAiDialect
from specchat.services.connections.engine_api import EngineApi
from specchat.services.connections.engine_keys import EngineKeys, exposure_warning, require_valid_key
from specchat.services.connections.remote_engine import RemoteEngine

USUAL_PORTS = tuple(sorted({dialect.port for dialect in DIALECTS if dialect.port is not None}))
_HERE = "127.0.0.1"


class Connections:
    def __init__(self, http: HttpClient, registry: ConnectionRegistry, keys: EngineKeys) -> None:
        self._http = http
        self.registry = registry
        self.keys = keys

    def engine(self, *, reuses_prompts: bool = True) -> RemoteEngine:
        """`reuses_prompts`: where it remembers what it has read, which would spoil a measurement."""
        return RemoteEngine(self._http, self.keys.find, reuses_prompts=reuses_prompts)

    def address(self, named: str) -> EngineAddress:
        """Returns the address of a saved engine, or parses an address."""
        found = self.registry.find(named)
        if found is None and not any(sign in named for sign in ":./"):
            self.registry.require(named)
        return parse_engine_address(named if found is None else found.url)

    def warning(self, address: EngineAddress) -> str | None:
        """Returns a warning if others on the network could read the traffic."""
        return exposure_warning(address, has_key=bool(self.keys.find(address))) if address.exposes_keys else None

    def save(self, name: str, url: str, key: str | None = None) -> tuple[Connection, bool]:
        """Saves an engine; also returns whether the keyring stores the key. An invalid key saves nothing."""
        if key is None:
            return self.registry.add(name, url), True
        require_valid_key(key)
        added = self.registry.add(name, url)
        return added, self.keys.put(parse_engine_address(added.url), key)

    def delete_unused_key(self, removed: Connection) -> None:
        """Unless another saved engine has the same address."""
        address = parse_engine_address(removed.url)
        others = (parse_engine_address(each.url).origin for each in self.registry.connections())
        if address.origin not in others:
            self.keys.delete(address)

    def test(self, address: EngineAddress, cancel: CancelToken) -> EngineReport:
        return self._report(address, self.keys.find(address), cancel)

    def find_here(self, cancel: CancelToken, ports: Iterable[int] = USUAL_PORTS) -> list[EngineReport]:
        """Engines that answer on this computer, at the ports that they usually have. They are sent no keys."""

        def look(port: int) -> EngineReport | None:
            with suppress(UserError, Cancelled):
                return self._report(EngineAddress("http", _HERE, port), "", cancel)
            return None

        ports = tuple(ports)
        with ThreadPoolExecutor(len(ports), "find-engines") as executor:
            found = list(executor.map(look, ports))
        cancel.check()
        return [report for report in found if report is not None]

    def _report(self, address: EngineAddress, key: str, cancel: CancelToken) -> EngineReport:
        api = EngineApi(self._http, address, key)
        dialect = detect_dialect(api, cancel)
        models = dialect.list_models(api, cancel)
        warning = exposure_warning(address, has_key=bool(key))
        return EngineReport(
            url=str(address),
            engine=dialect.name,
            models=models,
            version=dialect.read_version(api, cancel),
            totals=_totals(dialect, api, cancel),
            lacks=_lacks(dialect, models),
            warnings=() if warning is None else (warning,),
        )


def _lacks(dialect: OpenAiDialect, models: Sequence[ListedModel]) -> Lacks:
    """Some list the context of a model though others of their kind don't."""
    tells_context = any(model.n_ctx for model in models)
    return {
        capability: why
        for capability, why in dialect.lacks.items()
        if not (tells_context and capability is Capability.CONTEXT)
    }


def _totals(dialect: OpenAiDialect, api: EngineApi, cancel: CancelToken) -> GuessTotals | None:
    try:
        return dialect.read_totals(api, cancel)
    except RemoteEngineError:  # mostly it has to be started with an option for them
        return None

"""Early exit drafts as a search leaves them."""

from pathlib import Path

from specchat.services.models.early_exit_store import EarlyExitStore


def keep_early_exit(store: EarlyExitStore, target: Path, n_layers: int = 2, content: bytes = b"some weights") -> Path:
    with store.attempt(target) as attempt:
        attempt.path_for(n_layers).write_bytes(content)
        return attempt.keep(n_layers)

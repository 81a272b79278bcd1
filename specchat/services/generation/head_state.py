"""The state of a head's cache, with the text that it was computed from."""

from dataclasses import dataclass

from specchat.backends.cached_sequence import CacheState
from specchat.backends.llama_head import LlamaHead
from specchat.backends.medusa_head import MedusaHeads
from specchat.drafters.head_drafter import HeadDrafter

LoadedHead = LlamaHead | MedusaHeads


@dataclass(frozen=True, slots=True)
class HeadState:
    head: LoadedHead
    drafter: HeadDrafter

    @property
    def state_bytes(self) -> int:
        return self.head.state_bytes

    def state(self) -> CacheState:
        return self.head.state(self.drafter.text)

    def restore(self, state: CacheState) -> bool:
        is_back = self.head.restore(state)
        self.drafter.set_restored_text(state.tokens if is_back else state.tokens[:0])
        return is_back

    def copy(self, other: "HeadState") -> None:
        """Copies what another answer's head has read."""
        if other.state_bytes:
            self.restore(other.state())

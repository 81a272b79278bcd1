"""The translated labels that the transcript paints itself."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TranscriptLabels:
    thinking: str
    thought: str
    thought_seconds: str
    thought_minutes: str
    waiting: str

    def reasoning_label(self, seconds: float | None, *, going_on: bool) -> str:
        if going_on:
            return self.thinking
        if seconds is None:
            return self.thought
        whole = max(1, round(seconds))
        if whole < 60:
            return self.thought_seconds.format(s=whole)
        return self.thought_minutes.format(m=whole // 60, s=whole % 60)

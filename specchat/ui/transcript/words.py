"""The words that the transcript draws itself, in the user's language."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    thinking: str
    thought: str
    thought_seconds: str
    thought_minutes: str
    waiting: str

    def reasoning(self, seconds: float | None, *, going_on: bool) -> str:
        if going_on:
            return self.thinking
        if seconds is None:
            return self.thought
        whole = max(1, round(seconds))
        if whole < 60:
            return self.thought_seconds.format(s=whole)
        return self.thought_minutes.format(m=whole // 60, s=whole % 60)

"""Separates the model's reasoning from its answer while both are being generated."""

import re
from dataclasses import dataclass

from specchat.services.answers.reasoning import MARKERS

_AGAIN = "<|start|>assistant"
"""The model goes on in another message of the same answer."""
_BEGINNINGS = dict(MARKERS) | {_AGAIN: "", "<|channel|>final<|message|>": ""}
"""Headers that may precede the answer, with the end marker of those that start reasoning."""
_MARKER = re.compile(r"<\|?[^<>|]+\|?>|\[/?THINK\]|◁/?think▷")


@dataclass(frozen=True, slots=True)
class ThoughtAndText:
    thought: str
    text: str


class ThoughtReader:
    """Separates reasoning before the answer; within the answer, a marker may be its topic."""

    def __init__(self, prompt: str) -> None:
        """`prompt`: what the answer goes on with; some templates begin the thought themselves."""
        self._end = next((end for begin, end in MARKERS if prompt.rstrip().endswith(begin)), "")
        """Of the thought that is being read."""
        self._held = ""
        self._has_thought = bool(self._end)
        self._has_told = False
        """Some of this thought."""
        self._is_answering = False

    @property
    def is_thinking(self) -> bool:
        return self._has_thought and not self._is_answering

    def push(self, text: str) -> ThoughtAndText:
        self._held += text
        thought = ""
        while not self._is_answering and (more := self._inside() if self._end else self._before()) is not None:
            thought += more
        return ThoughtAndText(thought, self._pop_held() if self._is_answering else "")

    def finish(self) -> ThoughtAndText:
        """The rest: a thought without an end is one nevertheless."""
        rest = self._pop_held()
        if self._end:
            return ThoughtAndText(rest.rstrip(), "")
        return ThoughtAndText("", rest.strip() if self.is_thinking else rest)

    # Each takes what it can from the text that is held; None: what follows must come first

    def _before(self) -> str | None:
        coming = self._held.lstrip()
        begun = next((begin for begin in _BEGINNINGS if coming.startswith(begin)), None)
        if begun is not None:
            self._end, self._held = _BEGINNINGS[begun], coming.removeprefix(begun)
            self._has_thought, self._has_told = True, False
        elif any(begin.startswith(coming) for begin in _BEGINNINGS):
            return None
        else:
            self._is_answering = True
            self._held = coming if self._has_thought else self._held
        return ""

    def _inside(self) -> str | None:
        held = self._held if self._has_told else self._held.lstrip()
        thought, end, rest = held.partition(self._end)
        if end:
            self._end, self._held = "", rest
            return thought.rstrip()
        clear = held[: len(held) - _marker_overlap(self._end, held)].rstrip()
        self._held = held[len(clear) :]
        self._has_told = self._has_told or bool(clear)
        return clear or None

    def _pop_held(self) -> str:
        taken, self._held = self._held, ""
        return taken


def thought_markers(template: str) -> list[str]:
    """Returns the control tokens that may mark reasoning, if the template supports it."""
    known = "".join(begin + end for begin, end in MARKERS if begin in template or end in template)
    texts = _MARKER.findall(known + _AGAIN if "<|channel|>" in known else known)
    return list(dict.fromkeys(texts))


def _marker_overlap(marker: str, text: str) -> int:
    """How much of the marker the text ends with."""
    return next((n for n in range(len(marker) - 1, 0, -1) if text.endswith(marker[:n])), 0)

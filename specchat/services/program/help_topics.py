"""The pages of the help, read from resources/docs."""

from dataclasses import dataclass

from specchat.services.program.resources import resources

TOPICS = (
    "getting-started.md",
    "window.md",
    "models.md",
    "benchmark.md",
    "tools.md",
    "server.md",
    "engines.md",
    "machines.md",
    "commands.md",
    "exactness.md",
    "privacy.md",
    "features.md",
)
"""The help topics in the order of the list."""


@dataclass(frozen=True, slots=True)
class HelpTopic:
    name: str
    """Of its file."""
    text: str

    @property
    def title(self) -> str:
        return self.text.partition("\n")[0].removeprefix("# ").strip()

    def has_all(self, words: list[str]) -> bool:
        text = self.text.casefold()
        return all(word.casefold() in text for word in words)


def read_topics() -> list[HelpTopic]:
    return [HelpTopic(name, (resources() / "docs" / name).read_text(encoding="utf-8")) for name in TOPICS]

"""A formula in a web page (MathML), as TeX if the page contains that, otherwise as plain letters."""


class Formula:
    def __init__(self) -> None:
        self._letters: list[str] = []
        self._tex: list[str] = []
        self._into: list[str] | None = self._letters

    @property
    def text(self) -> str:
        tex = " ".join("".join(self._tex).split())
        return f"${tex}$" if tex else "".join("".join(self._letters).split())

    def start(self, tag: str, attributes: dict[str, str | None]) -> None:
        if tag.startswith("annotation"):  # the letters come before it
            self._into = self._tex if "tex" in (attributes.get("encoding") or "").lower() else None

    def add(self, data: str) -> None:
        if self._into is not None:
            self._into.append(data)

"""Report: what `doctor` prints, line by line, and what it has found."""

from __future__ import annotations

from collections.abc import Callable

from ..process.stderr import say


class Report:
    """Lines on stdout. `wrong` collects what keeps the show from running, `notes` what it can do without."""

    def __init__(self, cleaned: Callable[[str], str] = str) -> None:
        """`cleaned`: what each value goes through before it is printed."""
        self.wrong: list[str] = []
        self.notes: list[str] = []
        self._cleaned = cleaned

    def line(self, name: str, value: object) -> None:
        """One fact."""
        print(f"{name:<22}{self._cleaned(str(value))}", flush=True)

    def guarded(self, name: str, ask: Callable[[], object]) -> None:
        """One fact. If it cannot be found out, the reason is what is wrong."""
        try:
            self.line(name, ask())
        except Exception as error:  # a driver or a broken package may raise anything
            self.line(name, "none")
            self.fault(error)

    def fault(self, error: Exception) -> None:
        """An error as a line of what is wrong."""
        self.wrong.append(" ".join(str(error).split()) or type(error).__name__)

    def conclude(self) -> int:
        """Prints what was found: 0 when all is well, else 1."""
        for note in self.notes:
            self.line("note", note)
        for wrong in self.wrong:
            self.line("WRONG", wrong)
        if not self.wrong:
            self.line("all is well", "the show can run")
        else:
            say("something is wrong here: see the lines that say WRONG")
        return 1 if self.wrong else 0

"""Whether a picture's patches are drawn with all their cells or with half as many along an edge. No OpenGL here."""

from __future__ import annotations

# What had too many triangles gets them back when this share of the same limit is enough.
RETURNING = 0.7


class MeshBudget:
    """Halves the cells of pictures with too many triangles, without changing its mind from picture to picture."""

    def __init__(self) -> None:
        self._halved_under: float | None = None

    def halves(self, triangles: int, most: float) -> bool:
        """Whether a picture of so many triangles, were none left out, is drawn with half the cells. `most`: the limit now.

        Under a higher limit than that which halved them they are judged anew, or what one short moment took would stay
        away for good.
        """
        known = self._halved_under is not None and most <= self._halved_under
        halved = triangles > most * (RETURNING if known else 1.0)
        self._halved_under = most if halved else None
        return halved

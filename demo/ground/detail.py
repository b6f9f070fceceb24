"""Detail: the ground between the samples of a world: hills, and gullies that run down their slopes and those of the samples.

The surface's shader adds it to the heights that it draws (`assets/shaders/detail.glsl`), and the camera asks for it here.
Both get the same gullies from the same integer hash.

The first octave is two samples long and as strong as the finest undulation of the samples around; each further octave is
half as long. `gullies` says what they are. They are worked out in three dimensions at the true position. The slope that they
follow is one where faces meet, so faces meet without seams; within faces it is led by the smooth surface itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ..maths.easing import smoothstep
from ..worlds import hashing
from ..worlds.atlas import Atlas
from ..worlds.shapes import check_square
from .gradients import gradients
from .relief import GUTTER, fill_gutter
from .smooth_surface import cubic, led

if TYPE_CHECKING:
    from .relief_blocks import ReliefBlocks

STREAM = 130
# Least wavelength of an octave, in metres.
FINEST_M = 5.0
MOST_OCTAVES = 12
# Points worked on together: what is worked out on the way takes several times as much memory as the result.
CHUNK = 1 << 13

# The numbers of detail.glsl, under the same names; a test compares what is drawn with what is computed.
STRENGTH, STEEPEST = 1.7, 0.11
SHORE_KEPT, SHORE_LAND, SHORE_SEA = 0.30, 0.05, 0.02


@dataclass(frozen=True)
class Detail:
    """The detail of one grown world.

    `padded_m`: float32 (faces, n + 2 GUTTER, n + 2 GUTTER), metres above the sea; `rough_m`: float16 (faces, n, n), the
    strength of the first octave in metres; `lean`: float16 (faces, n, n, 3), the gradient of the samples, metres a metre, a
    tangent in the axes of the atlas, and empty where there are no octaves; `size_m`: radius or extent; `top_m`: the highest
    sample; `key`: 0..2^31 - 1. `blocks`: where more of the relief is known than the samples hold.
    """

    atlas: Atlas
    padded_m: np.ndarray
    rough_m: np.ndarray
    lean: np.ndarray
    size_m: float
    top_m: float
    key: int
    blocks: ReliefBlocks | None = None

    @property
    def heights_m(self) -> np.ndarray:
        """The samples without their gutter, float32 (faces, n, n): a view."""
        return self.padded_m[:, GUTTER:-GUTTER, GUTTER:-GUTTER]

    @property
    def wavelength_m(self) -> float:
        """Length of the first octave: two samples."""
        return 2.0 * self.atlas.edge * self.size_m / (self.rough_m.shape[-1] - 1)

    @property
    def octaves(self) -> int:
        """The number of all octaves."""
        return self.octaves_down_to(FINEST_M)

    def octaves_down_to(self, shortest_m: float) -> int:
        """The number of octaves that are at least `shortest_m` long."""
        if not self.lean.size:
            return 0
        return int(np.clip(np.floor(np.log2(self.wavelength_m / max(shortest_m, FINEST_M))) + 1, 0, MOST_OCTAVES))

    def without_octaves(self) -> Detail:
        """The smooth surface through the same samples, for land that is seen before its detail is there.

        The gradients take three quarters of what a detail does beside its samples.
        """
        return replace(self, lean=np.zeros((0, 0, 0, 3), np.float16))

    def with_octaves(self) -> Detail:
        """The same with the detail that `without_octaves` has left out: its gradients are found again."""
        return replace(self, lean=gradients(self.atlas, self.padded_m, self.size_m))

    @property
    def margin_m(self) -> float:
        """By how much the detail and the smooth surface through the samples may leave the samples' range, metres."""
        return 2.0 * float(self.rough_m.max()) + (self.blocks.most_m if self.blocks else 0.0)

    def height(self, face: ArrayLike, u: ArrayLike, v: ArrayLike, octaves: int | None = None) -> np.ndarray:
        """Ground in metres above the sea at (u, v) on `face`: float64 in their shape; with all or the first `octaves`."""
        return self.height_and_ridge(face, u, v, octaves)[0]

    def height_and_ridge(
        self, face: ArrayLike, u: ArrayLike, v: ArrayLike, octaves: int | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """`height`, and from -1 in the hollows of the detail to 1 on its crests: float64 in their shape."""
        count = self.octaves if octaves is None else octaves
        places = np.broadcast_arrays(face, np.asarray(u, np.float64), np.asarray(v, np.float64))
        faces, us, vs = (np.reshape(x, -1) for x in places)
        found = np.zeros((2, faces.size))
        for start in range(0, faces.size, CHUNK):
            chunk = slice(start, start + CHUNK)
            found[:, chunk] = self._found(faces[chunk], us[chunk], vs[chunk], count)
        height, ridge = found.reshape(2, *places[0].shape)
        return height, ridge

    def _found(self, face: np.ndarray, u: np.ndarray, v: np.ndarray, octaves: int) -> tuple[np.ndarray, np.ndarray]:
        n = self.rough_m.shape[-1]
        base, lift = cubic(self.padded_m, face, u * (n - 1), v * (n - 1))
        if octaves == 0:
            return base, np.zeros(len(base))
        if self.blocks:
            base += self.blocks.rise(face, u, v, octaves)
        at = self.atlas.place(face, u, v)
        up = at if self.atlas.spherical else np.broadcast_to([0.0, 1.0, 0.0], at.shape)
        rough, lean, around = self._between(face, u * (n - 1), v * (n - 1))
        lean = led(lean, self.atlas, self.padded_m, self.size_m, (face, u, v), at)
        lean -= up * (lean * up).sum(axis=1, keepdims=True)
        # What the floor of a valley is filled with lies smooth.
        length, strength = self.wavelength_m, rough * rough / np.maximum(rough + lift, 1e-6) * shore(base, self.top_m)
        from .gullies import octaves as add_octaves

        # Of one form for all callers: for another the kernel would be compiled anew.
        where = (
            np.ascontiguousarray(part, np.float64) for part in (at * (self.size_m / length), up, lean, around, strength)
        )
        more, ridge = np.empty((2, len(base)))
        add_octaves(*where, length, octaves, np.uint64(self.key), more, ridge)
        return base + more, ridge

    def _between(self, face: np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, ...]:
        """The strength (k,), the gradient (k, 3), and how steep it is around (k,), at columns x and rows y.

        The latter two do not bend at the samples.
        """
        last = self.rough_m.shape[-1] - 1
        i, j = (np.clip(np.floor(part).astype(np.intp), 0, last - 1) for part in (x, y))
        fx, fy = np.clip(x - i, 0.0, 1.0), np.clip(y - j, 0.0, 1.0)
        gx, gy = smoothstep(fx), smoothstep(fy)
        rough, lean, around = np.zeros(len(x)), np.zeros((len(x), 3)), np.zeros(len(x))
        for b in (0, 1):
            for a in (0, 1):
                rough += (fx if a else 1.0 - fx) * (fy if b else 1.0 - fy) * self.rough_m[face, j + b, i + a]
                share = (gx if a else 1.0 - gx) * (gy if b else 1.0 - gy)
                corner = self.lean[face, j + b, i + a].astype(np.float64)
                lean += share[:, None] * corner
                around += share * np.sqrt(np.einsum("ij,ij->i", corner, corner))
        return rough, lean, around


def detail_of(atlas: Atlas, heights_m: np.ndarray, size_m: float, seed: int) -> Detail:
    """The detail of a world with `heights_m`, float32 (faces, n, n), metres above the sea; `size_m`: radius or extent.

    Raises ValueError for another shape.
    """
    check_square("heights_m", heights_m, atlas.faces)
    padded = _padded(atlas, heights_m)
    longest = 2.0 * atlas.edge * size_m / (heights_m.shape[-1] - 1)
    # Worlds of one or two cells could exceed the range of half floats.
    most = min(STEEPEST * longest, float(np.finfo(np.float16).max))
    rough_m = _undulation(atlas, padded)
    rough_m *= np.float32(STRENGTH)
    rough = np.minimum(rough_m, np.float32(most), out=rough_m).astype(np.float16)
    del rough_m
    key = hashing.bits(seed, STREAM, 0) >> 33
    lean = gradients(atlas, padded, size_m)
    return Detail(atlas, padded, rough, lean, float(size_m), max(float(heights_m.max()), 1.0), key)


def _padded(atlas: Atlas, field: np.ndarray) -> np.ndarray:
    faces, n = field.shape[:2]
    padded = np.zeros((faces, n + 2 * GUTTER, n + 2 * GUTTER), np.float32)
    padded[:, GUTTER:-GUTTER, GUTTER:-GUTTER] = field
    fill_gutter(atlas, padded)
    return padded


def _undulation(atlas: Atlas, padded: np.ndarray) -> np.ndarray:
    """How far samples differ from the mean of their four neighbours: (faces, n, n), root mean square over nearby samples."""
    inner = padded[:, GUTTER:-GUTTER, GUTTER:-GUTTER]
    # Here and below in as few arrays as possible: each is as large as the heights.
    square = padded[:, 1:-3, 2:-2] + padded[:, 3:-1, 2:-2]
    square += padded[:, 2:-2, 1:-3]
    square += padded[:, 2:-2, 3:-1]
    square *= np.float32(0.25)
    np.subtract(inner, square, out=square)
    square *= square
    n = square.shape[-1]
    for _ in range(3):
        wide = _padded(atlas, square)
        wide = _mean_of_five([wide[:, k : k + n] for k in range(5)])
        _mean_of_five([wide[:, :, k : k + n] for k in range(5)], out=square)
    # Gutters are interpolated, so the results for one shared point differ a little.
    copies, owners = atlas.seams(n)
    flat = square.reshape(-1)
    flat[copies] = flat[owners]
    return np.sqrt(square, out=square)


def _mean_of_five(shifted: list[np.ndarray], out: np.ndarray | None = None) -> np.ndarray:
    """The mean of five arrays, in `out` or in a new one."""
    first, second, *others = shifted
    mean: np.ndarray = np.add(first, second, out=out)
    for other in others:
        mean += other
    mean /= np.float32(5.0)
    return mean


def shore(base: np.ndarray, top_m: float) -> np.ndarray:
    """The part of its strength that detail keeps where the samples' surface is at `base` metres.

    It is small at the shore and 0 where the sea is deep.
    """
    land = SHORE_KEPT + (1.0 - SHORE_KEPT) * _smooth_between(0.0, SHORE_LAND * top_m, base)
    return land * _smooth_between(-SHORE_SEA * top_m, 0.0, base)


def _smooth_between(low: float, high: float, x: np.ndarray) -> np.ndarray:
    return smoothstep(np.clip((x - low) / (high - low), 0.0, 1.0))

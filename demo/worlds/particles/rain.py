"""Rain: the emitter, box, moves and landing of one rain of particles, as the kernels take them, and its fall.

The kernels take named tuples, which numba hands on like single arguments. Heights and y are in units of one downward move,
x and z in cells of the map.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..hashing import stream_key
from ..parameters import Value
from ..shapes import check_dtype, check_shape, check_square
from .emitters import MOST_WINDOWS, Window, peak_density, window_arrays
from .kernels import COARSE, FINE, STATES, WALL, survey
from .kernels import grow as fall
from .walk_tables import fall_tables, jump_of_ticks, jump_tables

FOOTPRINTS = ("paraboloid", "cone", "disc")
# mass=auto: about how high the highest land gets, in cells. It is low for three reasons: scenes scale heights anyway,
# steeper land catches particles at its sides and grows knobs, and over low land the last particle costs no more than the
# first.
PEAK_CELLS = 1.5
_NO_GROUND = -(1 << 30)
_STREAM = 32


class Emitter(NamedTuple):
    """The windows that particles fall from.

    `shapes`: int64 (w,), indices into `emitters.SHAPES`. `places`: float64 (w, 5), centre x and z, half sizes along x and
    z, and the inner share of a ring. `choice`: uint32 (2^b,), the alias table of the windows' weights. `tops`: int64 (w,),
    where each window hovers: `lift` above the highest ground that its own particles touched; it rises with the land.
    """

    shapes: np.ndarray
    places: np.ndarray
    choice: np.ndarray
    tops: np.ndarray
    lift: int


class Group(NamedTuple):
    """The particles that are in the air together, g of them.

    `state`: int64 (STATES, g), one row for each quantity that `kernels` names. `keys`: uint64 (g,), each particle's key
    of random numbers. `live`: int64 (g,), scratch.
    """

    state: np.ndarray
    keys: np.ndarray
    live: np.ndarray


class Bounds(NamedTuple):
    """Upper bounds of the ground by square tile: the fine tiles row by row, then the coarse ones, t in all.

    `tiles`: int64 (t,), the bound of each tile alone. `near`: int64 (t,), that of a tile and its eight neighbours. `sides`:
    int64 (2,), the count of fine and of coarse tiles along an edge.
    """

    tiles: np.ndarray
    near: np.ndarray
    sides: np.ndarray


class Moves(NamedTuple):
    """How particles move in the air.

    `box`: int64 (5,), the lowest and highest x, the lowest and highest z, and how far above its window a particle may rise.
    `step`: width of a sideways move, in cells. `across`, `fall` and `jumps`: `walk_tables.jump_tables` along either axis of
    the map and downwards, and `jump_of_ticks`. `falls`, `stray`, `of_gap` and `far` are the parts of a `Falls`.
    """

    box: np.ndarray
    step: int
    across: np.ndarray
    fall: np.ndarray
    jumps: np.ndarray
    falls: np.ndarray
    stray: np.ndarray
    of_gap: np.ndarray
    far: int


class Landing(NamedTuple):
    """What particles do on the ground.

    `reach`: half the width of a footprint, in cells. `footprint`: float32 (2 reach + 1, 2 reach + 1), what one particle
    adds. `viscosity`: 0..1, how firmly a particle stays where it lands. `listing`: whether it slides by the printed rule.
    `unit`: cells a unit of height.
    """

    reach: int
    footprint: np.ndarray
    viscosity: float
    listing: bool
    unit: float


class Magnetism(NamedTuple):
    """How particles merge in the air.

    `reach`: how near they merge, in cells; 0: never. `breakup`: chance, 0..1, that merged ones part again at a beat.
    `heads`: int64 (2^b,), `nexts`: int64 (g,) and `sums`: int64 (4, g), scratch. `mass`: the factor of footprints, in units
    of height. `shape`: index into FOOTPRINTS.
    """

    reach: int
    breakup: float
    heads: np.ndarray
    nexts: np.ndarray
    sums: np.ndarray
    mass: float
    shape: int


@dataclass(frozen=True)
class Rain:
    """A rain of `total` particles; `emitter`, `group` and `bounds` change as it falls. `key`: uint64, of random numbers."""

    key: np.uint64
    total: int
    emitter: Emitter
    group: Group
    bounds: Bounds
    moves: Moves
    landing: Landing
    magnetism: Magnetism

    @property
    def together(self) -> int:
        """How many particles feel each other in the air: 1 without magnetism."""
        return self.group.keys.size if self.magnetism.reach else 1

    def fall(self, ground: np.ndarray, first: int, to: int) -> None:
        """Let the particles first..to - 1 fall onto `ground` float32 (n, n), in order and each once.

        Raises ValueError for ground of another shape than that which the rain was made for.
        """
        self._check(ground)
        work = self.key, first, to, self.total, self.emitter, self.group, ground, self.bounds, self.moves, self.landing
        if self.magnetism.reach:
            # Imported only by a rain that merges, because no other needs these kernels.
            from .magnetism import grow_magnetic

            grow_magnetic(*work, self.magnetism)
        else:
            fall(*work)

    def in_flight(self, ground: np.ndarray, firsts: np.ndarray, flown: np.ndarray, most: int) -> np.ndarray:
        """Where groups would be over no ground: float64 (k, 4), x, z, y and weight of at most `most` particles.

        `firsts`: int64 (g,), the first particle of each group; `flown`: float64 (g,), how many ticks it has flown.
        """
        self._check(ground)
        # Imported when particles are first looked at, because a world that is only written needs none of these kernels.
        from .magnetism import trace

        group = group_of(self.together)
        near = np.where(self.bounds.near == WALL, WALL, _NO_GROUND)
        found = np.zeros((most, 4))
        bounds = self.bounds._replace(near=near)
        rules = group, ground, bounds, self.moves, self.magnetism, self.landing.unit
        count = trace(self.key, self.total, firsts, flown, self.emitter, *rules, found)
        return found[:count]

    def _check(self, ground: np.ndarray) -> None:
        # The walls lie equally far beyond both edges of the map.
        n = int(self.moves.box[0] + self.moves.box[1]) + 1
        check_shape("ground", ground, n, n)
        check_dtype("ground", ground, np.float32)


def rain_of(seed: int, parameters: dict[str, Value], windows: list[Window], ground: np.ndarray) -> Rain:
    """The rain before its first particle, from `windows` over `ground` float32 (n, n); `parameters` complete.

    Raises ValueError for ground of another form, and for no windows or more than MOST_WINDOWS.
    """
    cells = check_square("ground", ground) - 1
    check_dtype("ground", ground, np.float32)
    if not 0 < len(windows) <= MOST_WINDOWS:
        raise ValueError(f"a rain from {len(windows)} windows is not possible: it takes 1 to {MOST_WINDOWS}")
    unit = float(parameters["fall"])
    mass = mass_of(parameters, windows, cells + 1) / unit
    box = _box(parameters, cells, unit)
    return Rain(
        key=np.uint64(stream_key(seed, _STREAM)),
        total=int(parameters["particles"]),
        emitter=_emitter(windows, ground, max(round(float(parameters["height"]) * cells / unit), 1)),
        group=group_of(int(parameters["group"])),
        bounds=_bounds(ground, box),
        moves=_moves(parameters, box),
        landing=_landing(parameters, mass, unit),
        magnetism=_magnetism(parameters, mass),
    )


def mass_of(parameters: dict[str, Value], windows: list[Window], n: int) -> float:
    """The factor of footprints: as given, or such that land of n x n samples gets about PEAK_CELLS high."""
    if parameters["mass"] != "auto":
        return float(parameters["mass"])
    one = footprint(int(parameters["radius"]), 1.0, str(parameters["shape"]))
    even = int(parameters["particles"]) * float(one.sum()) / n**2
    return PEAK_CELLS / (even * peak_density(windows))


def footprint(radius: int, mass: float, shape: str) -> np.ndarray:
    """What one particle adds around its contact: float32 (2 radius + 1, 2 radius + 1), in cells of height.

    Listing 3: mass (r^2 - d^2) where positive. A cone and a flat disc of the same radius hold about the same volume.
    """
    line = np.arange(-radius, radius + 1)
    away2 = line[:, None] ** 2 + line[None, :] ** 2
    if shape == "paraboloid":
        height = radius * radius - away2.astype(np.float64)
    elif shape == "cone":
        height = 1.5 * radius * (radius - np.sqrt(away2))
    else:
        height = np.where(away2 < radius * radius, 0.5 * radius * radius, 0.0)
    return (mass * np.maximum(height, 0.0)).astype(np.float32)


def group_of(size: int) -> Group:
    """An empty group of `size` particles."""
    return Group(np.zeros((STATES, size), np.int64), np.zeros(size, np.uint64), np.zeros(size, np.int64))


def _emitter(windows: list[Window], ground: np.ndarray, lift: int) -> Emitter:
    tops = np.full(len(windows), lift + int(np.ceil(ground.max())), np.int64)
    return Emitter(*window_arrays(windows, ground.shape[0] - 1), tops, lift)


def _box(parameters: dict[str, Value], cells: int, unit: float) -> np.ndarray:
    wall = round(float(parameters["box"]) * cells)
    return np.array([-wall, cells + wall, -wall, cells + wall, round(float(parameters["ceiling"]) * cells / unit)])


def _bounds(ground: np.ndarray, box: np.ndarray) -> Bounds:
    along = ground.shape[0] - 1 + 2 * max(-int(box[0]), 0)
    sides = np.array([(along >> shift) + 1 for shift in (FINE, COARSE)])
    tiles = np.zeros(int((sides * sides).sum()), np.int64)
    bounds = Bounds(tiles, tiles.copy(), sides)
    survey(ground, box, bounds)
    return bounds


def _moves(parameters: dict[str, Value], box: np.ndarray) -> Moves:
    up, down, sideways, step = (int(parameters[name]) for name in ("up", "down", "sideways", "step"))
    across = jump_tables(sideways, 100 - 2 * sideways, sideways)
    falls = fall_tables(sideways, up, down, (1 << COARSE) // step)
    drop = jump_tables(down, 100 - up - down, up)
    return Moves(box, step, across, drop, jump_of_ticks(), falls.ticks, falls.stray, falls.of_gap, falls.lid)


def _landing(parameters: dict[str, Value], mass: float, unit: float) -> Landing:
    radius = int(parameters["radius"])
    one = footprint(radius, mass, str(parameters["shape"]))
    return Landing(radius, one, float(parameters["viscosity"]), parameters["slide"] == "listing", unit)


def _magnetism(parameters: dict[str, Value], mass: float) -> Magnetism:
    size = int(parameters["group"])
    heads = np.zeros(1 << (2 * size - 1).bit_length(), np.int64)
    scratch = heads, np.zeros(size, np.int64), np.zeros((4, size), np.int64)
    shape = FOOTPRINTS.index(str(parameters["shape"]))
    return Magnetism(int(parameters["magnetism"]), float(parameters["breakup"]), *scratch, mass, shape)
